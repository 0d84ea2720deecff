package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.NativeLibrary;
import dev.sluice.flink.bridge.NativeUnavailableException;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/** Which engine decodes: the values of the option {@code engine}. */
public enum Engine {
    /** Native code where it is available. */
    AUTO,
    /** Native code, or the job fails. */
    NATIVE,
    /** Not built yet: refused. */
    JAVA;

    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final AtomicBoolean TOLD = new AtomicBoolean();

    /**
     * Whether this engine exists; the rest can be known only where records are read.
     *
     * @throws UnsupportedOperationException naming the engine that is not built yet
     */
    public void requireBuilt() {
        if (this == JAVA) {
            throw new UnsupportedOperationException(
                    "engine 'java' is not built yet, use 'auto' or 'native'");
        }
    }

    /**
     * Opens a decoder and says once, at INFO, which engine it is.
     *
     * @throws RecordException if the plan is refused
     * @throws NativeUnavailableException if there is no native library for this platform
     */
    public RecordDecoder open(byte[] plan, WriterSchemas schemas) throws RecordException {
        requireBuilt();
        RecordDecoder decoder = new NativeRecordDecoder(plan, schemas);
        if (TOLD.compareAndSet(false, true)) {
            LOG.info("engine '{}': records are decoded by {}", this, NativeLibrary.description());
        }
        return decoder;
    }

    /** The value of the option, {@code auto}. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
