package dev.sluice.flink.engine;

import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

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

    /**
     * The message of records without frame (R1, R2): of the subject's latest schema, or of what the
     * table names instead. Asked when the first of them comes, and again after {@link
     * #unframedLifetime}.
     *
     * @throws RecordException {@code BAD_FRAME} if there is no such schema, so that a record
     *     without frame cannot be read; or the schema is unusable
     * @throws IOException if it cannot be fetched
     */
    default WriterMessage resolveUnframed() throws RecordException, IOException {
        throw RecordException.noFrame("no schema is known for it", null);
    }

    /** How long {@link #resolveUnframed} holds; empty: as long as the decoder is open. */
    default Optional<Duration> unframedLifetime() {
        return Optional.empty();
    }
}
