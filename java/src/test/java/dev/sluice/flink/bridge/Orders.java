package dev.sluice.flink.bridge;

import com.google.protobuf.CodedOutputStream;

import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Limits;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ReaderOptions;
import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.UnframedRecords;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.binary.BinaryRowData;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** A small table, {@code id INT, name STRING}, its writer schema, and records for both. */
public final class Orders {
    /** The frame of records of schema id 7 that hold the first message. */
    public static final byte[] FRAME = {0, 0, 0, 0, 7, 0};

    private Orders() {}

    /** A plan that reads each record with its own writer schema. */
    public static Plan.Builder plan() {
        return Plan.newBuilder()
                .setVersion(1)
                .setBody(Body.PROTOBUF)
                .setProfile(Profile.CONFLUENT)
                .setFraming(Framing.REGISTRY)
                .setRow(
                        SqlType.newBuilder()
                                .setKind(SqlKind.ROW)
                                .addColumns(column("id", SqlKind.INTEGER, 0))
                                .addColumns(column("name", SqlKind.VARCHAR, Integer.MAX_VALUE)))
                .setReader(ReaderOptions.newBuilder().setUnframedRecords(UnframedRecords.FAIL))
                .setMessage(MessageSelection.newBuilder().setWriterSchema(true))
                .setLimits(limits(1 << 30, 1 << 30));
    }

    public static Limits.Builder limits(long recordBytesMax, long batchBytesMax) {
        return Limits.newBuilder()
                .setDepthMax(100)
                .setRecordBytesMax(recordBytesMax)
                .setBatchBytesMax(batchBytesMax);
    }

    private static Column column(String name, SqlKind kind, int length) {
        SqlType.Builder type =
                SqlType.newBuilder().setKind(kind).setNullable(true).setLength(length);
        return Column.newBuilder().setName(name).setType(type).build();
    }

    /** The text of {@link #schema}. */
    public static final String TEXT =
            "syntax = \"proto3\"; package shop.v1;"
                    + " message Order { int32 id = 1; string name = 2; }";

    /** {@code message Order { int32 id = 1; string name = 2; }}. */
    public static ResolvedSchema.Builder schema() {
        return ResolvedSchema.newBuilder()
                .setVersion(1)
                .addMessages(
                        ResolvedMessage.newBuilder()
                                .setFullName("shop.v1.Order")
                                .addFields(field("id", 1, FieldKind.FIELD_INT32))
                                .addFields(field("name", 2, FieldKind.FIELD_STRING)));
    }

    public static ResolvedField.Builder field(String name, int number, FieldKind kind) {
        return ResolvedField.newBuilder()
                .setName(name)
                .setNumber(number)
                .setKind(kind)
                .setStrictUtf8(kind == FieldKind.FIELD_STRING);
    }

    /** An open decoder that knows the schema of {@link #FRAME}. */
    public static NativeDecoder decoder() {
        return decoder(plan().build());
    }

    public static NativeDecoder decoder(Plan plan) {
        try {
            NativeDecoder decoder = new NativeDecoder(plan.toByteArray());
            if (!decoder.addSchema(FRAME, schema().build().toByteArray())) {
                throw new AssertionError(decoder.failure());
            }
            return decoder;
        } catch (PlanRefusedException e) {
            throw new AssertionError(e.failure().toString(), e);
        }
    }

    /** A record of schema id 7. */
    public static byte[] record(int id, String name) {
        return framed(FRAME, message(id, name));
    }

    public static byte[] framed(byte[] frame, byte[] message) {
        return ByteBuffer.allocate(frame.length + message.length).put(frame).put(message).array();
    }

    public static byte[] message(int id, String name) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            CodedOutputStream out = CodedOutputStream.newInstance(bytes);
            out.writeInt32(1, id);
            out.writeString(2, name);
            out.flush();
            return bytes.toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A row as text, {@code 7 rope}. */
    public static String text(byte[] row) {
        BinaryRowData view = new BinaryRowData(2);
        view.pointTo(MemorySegmentFactory.wrap(row), 0, row.length);
        Object name = view.isNullAt(1) ? null : view.getString(1);
        return (view.isNullAt(0) ? null : view.getInt(0)) + " " + name;
    }
}
