package dev.sluice.flink.engine;

import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * When the message of records without frame is asked for: at the first of them, and again once its
 * lifetime is over. Belongs to one thread.
 */
public final class UnframedMessage {
    private static final long REFUSED_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final WriterSchemas schemas;
    private final boolean isRead;
    private final long lifetimeNanos; // 0: for ever
    private final LongSupplier nanoTime;
    private WriterMessage message; // null until the first record
    private long sinceNanos;
    private RecordException refusal; // null unless the last question failed
    private long refusedNanos;

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

    /** Whether the message may have to be asked for again. */
    public boolean hasLifetime() {
        return lifetimeNanos > 0;
    }

    /** Whether the message has to be asked for again before this record is read. */
    public boolean isStaleFor(byte[] record) {
        return lifetimeNanos > 0
                && message != null
                && isFor(record)
                && nanoTime.getAsLong() - sinceNanos > lifetimeNanos;
    }

    /**
     * Asks for the message; it counts once it is {@link #accept accepted}. For a while after a
     * refusal that is the record's fault the same refusal is given again, so that a topic of such
     * records does not ask for each.
     */
    public WriterMessage ask() throws RecordException, IOException {
        if (refusal != null && nanoTime.getAsLong() - refusedNanos < REFUSED_NANOS) {
            throw refusal.again();
        }
        try {
            return schemas.resolveUnframed();
        } catch (RecordException e) {
            throw refused(e);
        }
    }

    /** Records are read with this message from now on. */
    public void accept(WriterMessage asked) {
        message = asked;
        sinceNanos = nanoTime.getAsLong();
        refusal = null;
    }

    /** Remembers why a message that was asked for cannot be used; for throwing. */
    public RecordException refused(RecordException why) {
        if (why.code().isRecordsFault()) {
            refusal = why;
            refusedNanos = nanoTime.getAsLong();
        }
        return why;
    }

    /** The key of the message's schema, or null where none is known. */
    public SchemaKey key() {
        return message == null ? null : message.origin().key();
    }
}
