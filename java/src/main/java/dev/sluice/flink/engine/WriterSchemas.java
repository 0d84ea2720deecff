package dev.sluice.flink.engine;

import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;

/** Where an engine gets the schema of a record that it cannot read yet. */
@FunctionalInterface
public interface WriterSchemas {
    /**
     * The message that records of this frame hold. Asked once per engine and frame; an
     * implementation caches what it fetched.
     *
     * @throws RecordException if the schema is unknown, unusable, or has no such message
     * @throws IOException if it cannot be fetched
     */
    WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException, IOException;
}
