package dev.sluice.flink.kafka;

import dev.sluice.flink.engine.AskedSchemas;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.NativeRecordDecoder;
import dev.sluice.flink.engine.Owned;
import dev.sluice.flink.engine.PollDecoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.Records;
import dev.sluice.flink.engine.SharedWriterSchemas;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.format.PlanBuilder;

import org.apache.flink.table.types.logical.RowType;

import java.io.IOException;

/** One format instance as a task has it, reading records of the schema of {@link AskedSchemas}. */
final class TestFormat implements AutoCloseable {
    static final String COLUMNS = "id BIGINT, name STRING";

    private final RowType row;
    final PolledDecoder decoder;

    private TestFormat(RowType row, PolledDecoder decoder) {
        this.row = row;
        this.decoder = decoder;
    }

    static TestFormat open() throws RecordException {
        return open(COLUMNS, 1 << 20);
    }

    static TestFormat open(String columns, long bytesMax) throws RecordException {
        return open(Engine.NATIVE, columns, bytesMax, AskedSchemas.orders("shop.Order"));
    }

    static TestFormat open(Engine engine, String columns, long bytesMax, WriterSchemas schemas)
            throws RecordException {
        RowType row = Records.row(columns);
        return open(engine, Records.plan(row), row, bytesMax, schemas);
    }

    static TestFormat open(
            Engine engine, PlanBuilder plan, RowType row, long bytesMax, WriterSchemas schemas)
            throws RecordException {
        byte[] bytes = plan.build();
        Owned owned = new Owned();
        WriterSchemas shared = new SharedWriterSchemas(schemas);
        RecordDecoder single = owned.add(engine.open(bytes, shared));
        PollDecoder.Source ahead =
                single.isNative() ? () -> new NativeRecordDecoder(bytes, shared) : null;
        return new TestFormat(row, new PolledDecoder(single, ahead, true, bytesMax, owned));
    }

    /** What the record's row holds, as text; a refusal is told by its code and place. */
    String read(byte[] record) throws IOException {
        decoder.find(record);
        try {
            return String.valueOf(Records.values(decoder.decode(record), row));
        } catch (RecordException e) {
            return e.getMessage();
        }
    }

    long polled() {
        return decoder.polledRecords();
    }

    @Override
    public void close() {
        decoder.close();
    }
}
