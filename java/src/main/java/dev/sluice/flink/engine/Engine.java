package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.NativeLibrary;
import dev.sluice.flink.bridge.NativeUnavailableException;
import dev.sluice.flink.engine.dynamic.DynamicRecordDecoder;
import dev.sluice.flink.engine.dynamic.DynamicRecordEncoder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which engine decodes and encodes: the values of the option {@code engine}. Both make the same
 * rows and records.
 */
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

    /**
     * Opens an encoder of one message, and says as {@link #open} does which engine it is.
     *
     * @param header the bytes of each record before its message
     * @throws RecordException if the plan cannot be written as this message
     * @throws NativeUnavailableException as for reading
     */
    public RecordEncoder openEncoder(byte[] plan, WriterMessage message, byte[] header)
            throws RecordException {
        if (this == JAVA) {
            tell("Java, as the table asks for");
            return new DynamicRecordEncoder(plan, message, header);
        }
        try {
            RecordEncoder encoder = new NativeRecordEncoder(plan, message, header);
            tell(NativeLibrary.description());
            return encoder;
        } catch (NativeUnavailableException e) {
            if (this == NATIVE) {
                throw e;
            }
            tell("Java, since " + e.getMessage());
            return new DynamicRecordEncoder(plan, message, header);
        }
    }

    private void tell(String engine) {
        if (TOLD.add(this)) {
            LOG.info("engine '{}': records are read and written by {}", this, engine);
        }
    }

    /** The value of the option, {@code auto}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
