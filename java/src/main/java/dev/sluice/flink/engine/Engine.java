package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.NativeLibrary;
import dev.sluice.flink.bridge.NativeUnavailableException;
import dev.sluice.flink.engine.dynamic.DynamicRecordDecoder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Which engine decodes: the values of the option {@code engine}. Both make the same rows. */
public enum Engine {
    /** Native code, or Java where the native library cannot be loaded. */
    AUTO,
    /** Native code, or the job fails. */
    NATIVE,
    /** Java; the native library is not loaded. */
    JAVA;

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final Set<Engine> TOLD = ConcurrentHashMap.newKeySet();

    /**
     * Opens a decoder and says at INFO, once per value of the option, which engine it is and why.
     *
     * @throws RecordException if the plan is refused
     * @throws NativeUnavailableException {@code NATIVE}: there is no native library for this
     *     platform, or it cannot be loaded
     */
    public RecordDecoder open(byte[] plan, WriterSchemas schemas) throws RecordException {
        if (this == JAVA) {
            tell("Java, as the table asks for");
            return new DynamicRecordDecoder(plan, schemas);
        }
        try {
            RecordDecoder decoder = new NativeRecordDecoder(plan, schemas);
            tell(NativeLibrary.description());
            return decoder;
        } catch (NativeUnavailableException e) {
            if (this == NATIVE) {
                throw e;
            }
            tell("Java, since " + e.getMessage());
            return new DynamicRecordDecoder(plan, schemas);
        }
    }

    private void tell(String decoder) {
        if (TOLD.add(this)) {
            LOG.info("engine '{}': records are decoded by {}", this, decoder);
        }
    }

    /** The value of the option, {@code auto}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
