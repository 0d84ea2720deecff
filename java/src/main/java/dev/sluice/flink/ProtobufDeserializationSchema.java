package dev.sluice.flink;

import dev.sluice.flink.deadletter.DeadLetters;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.NativeRecordDecoder;
import dev.sluice.flink.engine.Owned;
import dev.sluice.flink.engine.PollDecoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.SharedWriterSchemas;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.format.DecodeMetrics;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.NoWriterSchemas;
import dev.sluice.flink.format.SkippedRecords;
import dev.sluice.flink.format.UserCode;
import dev.sluice.flink.format.WriterSchemaProvider;
import dev.sluice.flink.kafka.PolledDecoder;
import dev.sluice.flink.row.RowOpener;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.data.RowData;

import java.io.IOException;
import java.util.Arrays;
import java.util.Objects;

/**
 * Reads one Kafka key or value into one row, on a task: the reading side of every format of ours.
 *
 * <p>Flink hands over one array at a time. Where the table's consumer has our interceptor, most
 * rows are made before that, with whole polls, and headers that name schemas are known: {@link
 * PolledDecoder}.
 *
 * <p>What is shipped is the plan, the way to the writer schemas and the form of the rows; a decoder
 * is opened per instance by {@link #open} and belongs to one task thread. Flink has no call at the
 * end of an instance's life: the decoder is closed when the job's class loader is released, or by
 * the garbage collector.
 *
 * <p>Metrics in the operator's group: {@link DecodeMetrics}.
 */
public final class ProtobufDeserializationSchema implements DeserializationSchema<RowData> {

    private static final long serialVersionUID = 1L;

    private final byte[] plan;
    private final WriterSchemaProvider schemas;
    private final Engine engine;
    private final RowOpener rows;
    private final TypeInformation<RowData> producedType;
    private final ErrorPolicy errors;
    private final long pollBytesMax;

    private transient PolledDecoder decoder;
    private transient DecodeMetrics metrics;
    private transient SkippedRecords skipped;
    private transient DeadLetters deadLetters; // null: none
    private transient int messagesMet;

    /**
     * @param plan a serialized plan, see {@link dev.sluice.flink.format.PlanBuilder}
     * @param rows opens the rows that the plan describes
     * @param errors what a record that cannot be read does
     * @param pollBytesMax of rows that are decoded ahead of their turn; 0: none are
     */
    public ProtobufDeserializationSchema(
            byte[] plan,
            WriterSchemaProvider schemas,
            Engine engine,
            RowOpener rows,
            TypeInformation<RowData> producedType,
            ErrorPolicy errors,
            long pollBytesMax) {
        this.plan = plan.clone();
        this.schemas = schemas;
        this.engine = engine;
        this.rows = rows;
        this.producedType = producedType;
        this.errors = errors;
        this.pollBytesMax = pollBytesMax;
    }

    @Override
    public void open(InitializationContext context) throws Exception {
        Owned owned = new Owned();
        try {
            open(context, owned);
        } catch (Throwable e) { // an Error too, as of a library that does not link
            owned.closeAfter(e);
            throw e;
        }
    }

    private void open(InitializationContext context, Owned owned) throws IOException {
        DeadLetters letters = errors.deadLetters().map(DeadLetters::open).orElse(null);
        if (letters != null) {
            owned.add(letters);
        }
        WriterSchemaProvider.Open writerSchemas = owned.add(schemas.open());
        WriterSchemas shared = new SharedWriterSchemas(writerSchemas);
        RecordDecoder single = owned.add(engine.open(plan, shared));
        PollDecoder.Source ahead =
                single.isNative() ? () -> new NativeRecordDecoder(plan, shared) : null;
        PolledDecoder opened =
                new PolledDecoder(single, ahead, namesSchemas(), pollBytesMax, owned);
        UserCode.closeOnRelease(opened, context::getUserCodeClassLoader);
        metrics = DecodeMetrics.of(context.getMetricGroup());
        metrics.add(opened, writerSchemas, letters);
        skipped = new SkippedRecords(metrics);
        deadLetters = letters;
        decoder = opened;
    }

    private boolean namesSchemas() {
        return schemas != NoWriterSchemas.INSTANCE;
    }

    /** The row of one record; null, which is no row, for a null value and a skipped record. */
    @Override
    public RowData deserialize(byte[] record) throws IOException {
        if (record == null) {
            return null;
        }
        requireOpen();
        return read(record, decoder.find(record));
    }

    /**
     * The same of a record whose headers the caller sees.
     *
     * @param header name of the header that names the schema (W14)
     * @param value of the last header of this name; null for none
     */
    public RowData deserialize(byte[] record, String header, byte[] value) throws IOException {
        if (record == null) {
            return null;
        }
        requireOpen();
        decoder.take(header, value);
        return read(record, value != null);
    }

    private void requireOpen() {
        if (decoder == null) {
            throw new IllegalStateException("open was not called");
        }
    }

    private RowData read(byte[] record, boolean hasHeader) throws IOException {
        metrics.countRecord(record, namesSchemas() && !hasHeader);
        byte[] row;
        try {
            row = decoder.decode(record);
        } catch (RecordException e) {
            metrics.countRefused();
            if (!errors.skips() || !e.code().isRecordsFault()) {
                throw e;
            }
            skipped.add(e);
            if (deadLetters != null) {
                deadLetters.send(record, decoder.header(), e);
            }
            return null;
        }
        if (decoder.messagesMet() != messagesMet) {
            messagesMet = decoder.messagesMet();
            metrics.addMessages();
        }
        if (row == null) {
            metrics.countOtherMessage();
            return null;
        }
        return rows.open(row);
    }

    @Override
    public boolean isEndOfStream(RowData nextElement) {
        return false;
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        return producedType;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtobufDeserializationSchema)) {
            return false;
        }
        ProtobufDeserializationSchema that = (ProtobufDeserializationSchema) other;
        return Arrays.equals(plan, that.plan)
                && schemas.equals(that.schemas)
                && engine == that.engine
                && rows.equals(that.rows)
                && errors.equals(that.errors)
                && pollBytesMax == that.pollBytesMax
                && producedType.equals(that.producedType);
    }

    @Override
    public int hashCode() {
        return Objects.hash(Arrays.hashCode(plan), schemas, engine, rows, producedType, errors);
    }

    /** Rows and settings; the plan and the registry's secrets are left out. */
    @Override
    public String toString() {
        return String.format(
                "protobuf(engine=%s, rows=%s, schemas=%s, errors=%s)",
                engine, rows, schemas, errors);
    }
}
