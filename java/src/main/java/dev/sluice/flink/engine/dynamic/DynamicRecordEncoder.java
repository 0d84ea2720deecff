package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordEncoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.OptionalLong;

/** Encodes in plain Java: the same plan, rules, bytes and failure codes as native code. */
public final class DynamicRecordEncoder implements RecordEncoder {
    private final int recordBytesMax;
    private final Descriptor descriptor;
    private final MessageWriter writer;
    private final byte[] header;

    private volatile long records;
    private volatile boolean closed;

    /**
     * Opens an encoder.
     *
     * @param plan a serialized {@code Plan}
     * @param message what is written
     * @param header the bytes of each record before its message
     * @throws RecordException if the plan cannot be written as this message
     */
    public DynamicRecordEncoder(byte[] plan, WriterMessage message, byte[] header)
            throws RecordException {
        KnownPlan known = KnownPlan.read(plan);
        this.recordBytesMax = known.recordBytesMax();
        this.descriptor = message.descriptor();
        this.writer =
                new WriteCompiler(known.plan(), descriptor)
                        .row(known.plan().getRow().getColumnsList(), descriptor, true);
        this.header = header.clone();
    }

    @Override
    public byte[] encode(byte[] row, int offset, int length) throws RecordException {
        if (closed) {
            throw new RecordException(FailureCode.CLOSED, "the encoder is closed");
        }
        DynamicMessage message;
        try {
            message = writer.write(row, offset, length);
        } catch (FaultException e) {
            throw new RecordException(
                    e.code(),
                    e.getMessage(),
                    null,
                    descriptor.getFullName(),
                    e.fieldPath(),
                    OptionalLong.empty(),
                    e);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new RecordException(
                    FailureCode.MALFORMED_ROW, "the row is not in Flink's binary layout", null, e);
        }
        long size = (long) header.length + message.getSerializedSize();
        if (size > recordBytesMax) {
            throw new RecordException(
                    FailureCode.RECORD_TOO_LARGE,
                    String.format(
                            "the record has %d bytes, the limit is %d", size, recordBytesMax));
        }
        byte[] record = Arrays.copyOf(header, (int) size);
        try {
            CodedOutputStream out =
                    CodedOutputStream.newInstance(
                            record, header.length, record.length - header.length);
            message.writeTo(out);
            out.checkNoSpaceLeft();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        records++; // one thread writes
        return record;
    }

    @Override
    public long records() {
        return records;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public void close() {
        closed = true;
    }
}
