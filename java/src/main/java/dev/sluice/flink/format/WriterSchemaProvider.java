package dev.sluice.flink.format;

import dev.sluice.flink.engine.WriterSchemas;

import java.io.IOException;
import java.io.Serializable;

/**
 * Where writer schemas come from, as it travels inside a serialized job. Implementations have value
 * equality, and a {@code toString} without secrets.
 */
public interface WriterSchemaProvider extends Serializable {

    /** Opens the source of schemas where records are read; the caller closes it. */
    Open open() throws IOException;

    /** Writer schemas for one decoder. */
    interface Open extends WriterSchemas, AutoCloseable {

        /** Schemas fetched so far, without those that others fetched. */
        default long fetches() {
            return 0;
        }

        /** How long these took in all. */
        default long fetchNanos() {
            return 0;
        }

        @Override
        default void close() {}
    }
}
