package dev.sluice.flink.engine;

import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * When the message of records without frame is asked for: at the first of them, and again once its
 * lifetime is over. Belongs to one thread.
 */
public final class UnframedMessage {
    private final WriterSchemas schemas;
    private final boolean isRead;
    private final long lifetimeNanos; // 0: for ever
    private final LongSupplier nanoTime;
    private WriterMessage message; // null until the first record
    private long sinceNanos;

    public UnframedMessage(Plan plan, WriterSchemas schemas) {
        this(plan, schemas, System::nanoTime);
    }

    UnframedMessage(Plan plan, WriterSchemas schemas, LongSupplier nanoTime) {
        this.schemas = schemas;
        this.nanoTime = nanoTime;
        isRead = plan.getReader().getUnframedRecords() == UnframedRecords.LATEST;
        lifetimeNanos = schemas.unframedLifetime().map(Duration::toNanos).orElse(0L);
    }

    /** Whether this record is read with the message. */
    public boolean isFor(byte[] record) {
        return isRead && Frame.isUnframed(record);
    }

    /** Whether the message has to be asked for again before this record is read. */
    public boolean isStaleFor(byte[] record) {
        return lifetimeNanos > 0
                && message != null
                && isFor(record)
                && nanoTime.getAsLong() - sinceNanos > lifetimeNanos;
    }

    /** Asks for the message, which counts from now on. */
    public WriterMessage ask() throws RecordException, IOException {
        message = schemas.resolveUnframed();
        sinceNanos = nanoTime.getAsLong();
        return message;
    }

    /** The key of the message's schema, or null where none is known. */
    public SchemaKey key() {
        return message == null ? null : message.origin().key();
    }
}
