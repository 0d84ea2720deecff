package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordEncoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.format.EncodeMetrics;
import dev.sluice.flink.format.UserCode;
import dev.sluice.flink.format.WrittenMessage;
import dev.sluice.flink.format.WrittenMessageProvider;
import dev.sluice.flink.kafka.PayloadHeader;
import dev.sluice.flink.row.RowBytes;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;
import java.util.Objects;

/**
 * Writes one row as one Kafka key or value, on a task: the writing side of every format of ours.
 *
 * <p>What is shipped is the plan and the way to the message; an encoder is opened per instance by
 * {@link #open} and belongs to one task thread. It is closed as a decoder is, see {@link
 * ProtobufDeserializationSchema}. The kind of a row is not looked at.
 *
 * <p>A header that names the schema cannot be put from here: it waits in a {@link PayloadHeader}
 * for whoever sees the record, and writing fails if nobody does.
 *
 * <p>Metrics in the operator's group: {@link EncodeMetrics}.
 */
public final class ProtobufSerializationSchema implements SerializationSchema<RowData> {

    private static final long serialVersionUID = 1L;

    private final byte[] plan;
    private final RowType type;
    private final WrittenMessageProvider messages;
    private final Engine engine;

    private transient RecordEncoder encoder;
    private transient RowBytes rows;
    private transient EncodeMetrics metrics;
    private transient PayloadHeader header; // null: none

    /**
     * @param plan a serialized plan, see {@link dev.sluice.flink.format.PlanBuilder}
     * @param type the rows that the plan describes
     * @param messages what they are written as
     */
    public ProtobufSerializationSchema(
            byte[] plan, RowType type, WrittenMessageProvider messages, Engine engine) {
        this.plan = plan.clone();
        this.type = type;
        this.messages = messages;
        this.engine = engine;
    }

    @Override
    public void open(InitializationContext context) throws Exception {
        WrittenMessage written = messages.open();
        RecordEncoder opened = engine.openEncoder(plan, written.message(), written.header());
        UserCode.closeOnRelease(opened, context::getUserCodeClassLoader);
        metrics = EncodeMetrics.of(context.getMetricGroup());
        metrics.add(opened);
        rows = new RowBytes(type);
        byte[] recordHeader = written.recordHeader();
        header = recordHeader == null ? null : new PayloadHeader(recordHeader);
        encoder = opened;
    }

    /**
     * The record of one row; null, which Kafka takes for a deletion, for a row that is null (W3).
     *
     * @throws RowNotWrittenException if the row is refused
     * @throws IllegalStateException if nobody puts the header, see {@link PayloadHeader}
     */
    @Override
    public byte[] serialize(RowData row) {
        if (row == null) {
            return null;
        }
        if (encoder == null) {
            throw new IllegalStateException("open was not called");
        }
        rows.take(row);
        try {
            byte[] record = encoder.encode(rows.bytes(), rows.offset(), rows.length());
            metrics.countRecord(record);
            if (header != null) {
                header.awaitSending(record);
            }
            return record;
        } catch (RecordException e) {
            metrics.countRefused();
            throw new RowNotWrittenException(e);
        }
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtobufSerializationSchema)) {
            return false;
        }
        ProtobufSerializationSchema that = (ProtobufSerializationSchema) other;
        return Arrays.equals(plan, that.plan)
                && type.equals(that.type)
                && messages.equals(that.messages)
                && engine == that.engine;
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(plan), type, messages, engine);
    }

    /** Message and settings; the plan and the registry's secrets are left out. */
    @Override
    public String toString() {
        return String.format("protobuf(engine=%s, writes=%s)", engine, messages);
    }
}
