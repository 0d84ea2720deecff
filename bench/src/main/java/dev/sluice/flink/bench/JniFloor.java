package dev.sluice.flink.bench;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.NativeDecoder;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.UnframedRecords;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

import java.nio.ByteBuffer;

/**
 * Contender {@code jni-floor}: what a native format costs if reading costs nothing. The record is
 * copied into native memory by the product's own call, which returns at once as the record is of a
 * message that nobody asks for; then as many bytes as a row has are copied out, and wrapped.
 */
final class JniFloor implements RecordReader {
    private final NativeDecoder decoder;
    private final ByteBuffer rows;
    private final int rowBytes;
    private final int columns;

    /**
     * @param rowBytes of a row, on average
     */
    JniFloor(RowType row, int rowBytes) throws Exception {
        byte[] plan =
                new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY)
                        .unframedRecords(UnframedRecords.LATEST)
                        .messageName("bench.Asked")
                        .build();
        decoder = new NativeDecoder(plan);
        ResolvedMessage other = ResolvedMessage.newBuilder().setFullName("bench.Other").build();
        ResolvedSchema schema =
                ResolvedSchema.newBuilder().setVersion(1).addMessages(other).build();
        if (!decoder.addSchema(new byte[0], schema.toByteArray())) {
            throw new IllegalStateException(decoder.failure().toString());
        }
        rows = ByteBuffer.allocateDirect(rowBytes);
        this.rowBytes = rowBytes;
        columns = row.getFieldCount();
    }

    /** Holds that native code does what the class says. */
    void require(byte[] record) {
        if (decoder.decodeRow(record) != null || decoder.code() != FailureCode.OTHER_MESSAGE) {
            throw new IllegalStateException("the floor is none: " + decoder.code());
        }
    }

    @Override
    public BinaryRowData read(byte[] record) {
        decoder.decodeRow(record);
        byte[] bytes = new byte[rowBytes];
        rows.position(0);
        rows.get(bytes);
        BinaryRowData row = new BinaryRowData(columns);
        row.pointTo(MemorySegmentFactory.wrap(bytes), 0, rowBytes);
        return row;
    }
}
