package dev.sluice.flink.format;

import java.io.Serializable;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;

/**
 * How a table chooses the schema of each record: where the id in a frame is looked up (R4), what
 * records without frame are read with (R1), and whether that replaces the writer schema as well
 * (R6). A value that travels in the job.
 */
public final class SchemaChoice implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String lookupSubject;
    private final ReaderSchema reader;
    private final boolean readsAllWithReader;
    private final boolean readsUnframed;
    private final Duration readerLifetime; // null: as long as the job

    /**
     * @param lookupSubject the subject under which ids are looked up; empty for none
     * @param readsAllWithReader whether framed records are read with the reader schema as well
     * @param readsUnframed whether records without frame are read at all
     * @param readerLifetime how long the latest schema of a subject stays the one to read with;
     *     null: for the life of the job
     */
    public SchemaChoice(
            String lookupSubject,
            ReaderSchema reader,
            boolean readsAllWithReader,
            boolean readsUnframed,
            Duration readerLifetime) {
        this.lookupSubject = lookupSubject;
        this.reader = reader;
        this.readsAllWithReader = readsAllWithReader;
        this.readsUnframed = readsUnframed;
        this.readerLifetime = readerLifetime;
    }

    String lookupSubject() {
        return lookupSubject;
    }

    ReaderSchema reader() {
        return reader;
    }

    boolean readsAllWithReader() {
        return readsAllWithReader;
    }

    /** Whether any record is read with the reader schema. */
    boolean needsReader() {
        return reader.exists() && (readsUnframed || readsAllWithReader);
    }

    Optional<Duration> readerLifetime() {
        return Optional.ofNullable(readerLifetime);
    }

    SchemaChoice withReader(ReaderSchema other) {
        return new SchemaChoice(
                lookupSubject, other, readsAllWithReader, readsUnframed, readerLifetime);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SchemaChoice)) {
            return false;
        }
        SchemaChoice that = (SchemaChoice) other;
        return readsAllWithReader == that.readsAllWithReader
                && readsUnframed == that.readsUnframed
                && lookupSubject.equals(that.lookupSubject)
                && reader.equals(that.reader)
                && Objects.equals(readerLifetime, that.readerLifetime);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                lookupSubject, reader, readsAllWithReader, readsUnframed, readerLifetime);
    }

    @Override
    public String toString() {
        return reader + (readsAllWithReader ? " for all records" : "");
    }
}
