package dev.sluice.flink.engine;

import com.google.protobuf.CodedInputStream;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.NativeDecoder;
import dev.sluice.flink.bridge.PlanRefusedException;
import dev.sluice.flink.plan.Failure;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Decodes in native code. Native code reads frame and message and keeps the programs of the writer
 * schemas; when it meets a frame for the first time it says so, and the schema is resolved here and
 * handed down before the record is tried again.
 */
public final class NativeRecordDecoder implements RecordDecoder {
    private static final int PLAN_DEPTH_MAX = 1000;

    private final NativeDecoder decoder;
    private final WriterSchemas schemas;
    private final boolean framed;

    /**
     * Opens a decoder.
     *
     * @param plan a serialized {@code Plan}
     * @param schemas asked for each frame that is met for the first time
     * @throws RecordException if the plan is refused
     * @throws dev.sluice.flink.bridge.NativeUnavailableException if there is no native library
     */
    public NativeRecordDecoder(byte[] plan, WriterSchemas schemas) throws RecordException {
        this.schemas = schemas;
        try {
            this.decoder = new NativeDecoder(plan);
            this.framed = read(plan).getFraming() == Framing.REGISTRY;
        } catch (PlanRefusedException e) {
            throw refusal(e.failure(), null);
        } catch (IOException e) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the plan is no plan message", null, e);
        }
    }

    /** Columns nest deeper in a plan than protobuf-java reads by default. */
    private static Plan read(byte[] plan) throws IOException {
        CodedInputStream bytes = CodedInputStream.newInstance(plan);
        bytes.setRecursionLimit(PLAN_DEPTH_MAX);
        return Plan.parseFrom(bytes);
    }

    @Override
    public byte[] decode(byte[] record) throws RecordException, IOException {
        byte[] row = decoder.decodeRow(record);
        return row != null ? row : decodeAgain(record);
    }

    private byte[] decodeAgain(byte[] record) throws RecordException, IOException {
        if (decoder.code() == FailureCode.UNKNOWN_SCHEMA) {
            addSchema(record);
            byte[] row = decoder.decodeRow(record);
            if (row != null) {
                return row;
            }
        }
        throw refusal(decoder.failure(), framed ? Frame.findKey(record) : null);
    }

    private void addSchema(byte[] record) throws RecordException, IOException {
        Frame frame = Frame.read(record);
        byte[] resolved = schemas.resolve(frame.key(), frame.indexes()).resolved();
        if (!decoder.addSchema(Arrays.copyOf(record, frame.messageOffset()), resolved)) {
            throw refusal(decoder.failure(), frame.key());
        }
    }

    private static RecordException refusal(Failure failure, SchemaKey key) {
        return new RecordException(
                FailureCode.of(failure.getCode()),
                failure.getReason(),
                key,
                failure.getMessageName(),
                failure.getFieldPath(),
                failure.hasByteOffset()
                        ? OptionalLong.of(failure.getByteOffset())
                        : OptionalLong.empty(),
                null);
    }

    @Override
    public long records() {
        return decoder.records();
    }

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public void close() {
        decoder.close();
    }
}
