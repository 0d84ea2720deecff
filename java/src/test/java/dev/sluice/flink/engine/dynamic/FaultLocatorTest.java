package dev.sluice.flink.engine.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.engine.NativeRecordDecoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.schema.RandomSchema;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** {@code -Dsluice.seed=N} repeats a run. */
class FaultLocatorTest {
    private static final int[] FIRST_MESSAGE = {0};
    private static final int SCHEMAS = 150;
    private static final int RECORDS_PER_SCHEMA = 60;
    private static final int DEPTH_MAX = 100;

    /** A plan that asks for no column: native code checks every field where it meets it. */
    private static final byte[] CHECK_ALL =
            Orders.plan().setRow(SqlType.newBuilder().setKind(SqlKind.ROW)).build().toByteArray();

    private static final String SCHEMA =
            String.join(
                    "\n",
                    "syntax = 'proto2';",
                    "message Root {",
                    "  optional int32 number = 1;",
                    "  optional string lax = 2;",
                    "  repeated Line line = 3;",
                    "  optional group Part = 4 { optional fixed32 word = 1; }",
                    "  repeated sint64 run = 5;",
                    "  repeated fixed64 words = 6;",
                    "  map<string, Line> named = 7;",
                    "  oneof one { Line a = 8; Line b = 9; }",
                    "  optional Root root = 10;",
                    "  optional Closed closed = 11;",
                    "}",
                    "message Line { required string sku = 1; optional fixed64 at = 2;",
                    "  map<int32, string> text = 3; }",
                    "message Closed { required Colour colour = 1; }",
                    "enum Colour { RED = 1; }");

    @Test
    void findsAFaultExactlyWhenParsingFails() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        System.out.println("FaultLocatorTest: seed " + seed);
        Random random = new Random(seed);
        int refused = 0;
        for (int at = 0; at < SCHEMAS; at++) {
            String text = RandomSchema.text(random);
            WriterSchema schema = WriterSchema.of(text, Map.of());
            Descriptor message = schema.descriptor(FIRST_MESSAGE);
            RandomMessages messages = new RandomMessages(random);
            boolean inWireOrder = !reachesRequired(message, new HashSet<>());
            try (RecordDecoder decoder = decoder(schema)) {
                for (int record = 0; record < RECORDS_PER_SCHEMA; record++) {
                    byte[] bytes = messages.nearly(messages.message(message));
                    String hex = HexFormat.of().formatHex(bytes);
                    String context = "seed " + seed + ", " + hex + " as\n" + text;
                    Optional<WireFault> fault = find(message, bytes);
                    assertThat(fault.isPresent()).as(context).isEqualTo(!parses(message, bytes));
                    String told = refusal(decoder, bytes);
                    assertThat(told != null).as(context).isEqualTo(fault.isPresent());
                    if (told != null && inWireOrder) {
                        assertThat(told(fault.orElseThrow())).as(context).isEqualTo(told);
                    }
                    refused += fault.isPresent() ? 1 : 0;
                }
            }
        }
        assertThat(refused).isBetween(SCHEMAS, SCHEMAS * RECORDS_PER_SCHEMA * 4 / 5);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "08, truncated 'number' 6",
                "ff, truncated '' 6",
                "0801 98, truncated '' 8",
                "08ffffffffffffffffffff01, malformed-varint 'number' 6",
                "0801 00, invalid-tag '' 8",
                "0801 0e, invalid-wire-type '' 8",
                "0c, end-group-mismatch '' 6",
                "0b, end-group-mismatch '' 6",
                "0b14, end-group-mismatch '' 6",
                "1a03 0a0161 1a03 0a0261, truncated 'line[].sku' 13",
                "1a05 0a0161 0800, none",
                "0801 1a00, missing-required 'line[].sku' 10",
                "0801 1a03 120161, missing-required 'line[].sku' 10",
                "1aff01, truncated 'line[]' 6",
                "1affffffff0f, truncated 'line[]' 6",
                "1a04 0a0161 0c, end-group-mismatch 'line[]' 11",
                "23 0d000000, truncated 'part.word' 7",
                "23 0d00000000, end-group-mismatch 'part' 12",
                "23 2c, end-group-mismatch 'part' 7",
                "2a03 0180 01 80, truncated '' 11",
                "2a03 018180, truncated 'run[]' 9",
                "3209 0000000000000000 00, truncated 'words[]' 16",
                "3a03 0a01ff, invalid-utf8 'named[].key' 8",
                "3a04 12020801, missing-required 'named[].value.sku' 10",
                "3a03 0a0161, missing-required 'named[].value' 8",
                "3a08 0a0161 1203120161, missing-required 'named[].value.sku' 13",
                "1a0a 0a0161 1a05 0801 1201fe, invalid-utf8 'line[].text[].value' 15",
                "4200, missing-required 'a.sku' 8",
                "4200 4a03 0a0162, none",
                "4a03 0a0162 4200, missing-required 'a.sku' 13",
                "4a02 1000 4a03 0a0162, none",
                "5a02 0802, missing-required 'closed.colour' 8",
                "5a02 0801, none",
                "1201ff, none",
            })
    void agreesWithNativeCodeAboutOneFault(String bytes, String expected) throws Exception {
        WriterSchema schema = WriterSchema.of(SCHEMA, Map.of());
        Descriptor root = schema.descriptor(FIRST_MESSAGE);
        byte[] message = HexFormat.of().parseHex(bytes.replace(" ", ""));
        Optional<String> fault = find(root, message).map(FaultLocatorTest::told);
        assertThat(fault.map(told -> told.replaceFirst(":.*", "")).orElse("none"))
                .isEqualTo(expected);
        assertThat(parses(root, message)).isEqualTo(fault.isEmpty());
        try (RecordDecoder decoder = decoder(schema)) {
            assertThat(refusal(decoder, message)).isEqualTo(fault.orElse(null));
        }
    }

    @Test
    void levelsAreCountedAsProtobufJavaDoes() throws Exception {
        WriterSchema schema = WriterSchema.of(SCHEMA, Map.of());
        Descriptor root = schema.descriptor(FIRST_MESSAGE);
        ByteString bytes = ByteString.EMPTY;
        try (RecordDecoder decoder = decoder(schema)) {
            for (int depth = 1; depth <= DEPTH_MAX + 1; depth++) {
                bytes = rootInside(bytes);
                boolean fits = depth <= DEPTH_MAX;
                assertThat(parses(root, bytes.toByteArray())).isEqualTo(fits);
                assertThat(find(root, bytes.toByteArray()).isEmpty()).isEqualTo(fits);
                assertThat(refusal(decoder, bytes.toByteArray()) == null).isEqualTo(fits);
            }
            WireFault fault = find(root, bytes.toByteArray()).orElseThrow();
            assertThat(fault.code()).isEqualTo(FailureCode.TOO_DEEP);
            assertThat(fault.fieldPath()).isEqualTo("root.".repeat(DEPTH_MAX) + "root");
            assertThat(refusal(decoder, bytes.toByteArray()))
                    .startsWith("too-deep '" + fault.fieldPath() + "'");
        }
    }

    /** {@code Root { root: ... }}. */
    private static ByteString rootInside(ByteString bytes) throws IOException {
        ByteString.Output out = ByteString.newOutput();
        CodedOutputStream coded = CodedOutputStream.newInstance(out);
        coded.writeBytes(10, bytes);
        coded.flush();
        return out.toByteString();
    }

    private static Optional<WireFault> find(Descriptor message, byte[] bytes) {
        byte[] record = Orders.framed(Orders.FRAME, bytes);
        return FaultLocator.find(message, record, Orders.FRAME.length, DEPTH_MAX);
    }

    private static boolean parses(Descriptor message, byte[] bytes) {
        try {
            DynamicMessage.parseFrom(message, bytes);
            return true;
        } catch (InvalidProtocolBufferException e) {
            return false;
        }
    }

    private static RecordDecoder decoder(WriterSchema schema) throws RecordException {
        return new NativeRecordDecoder(CHECK_ALL, (key, indexes) -> written(schema, indexes));
    }

    private static WriterMessage written(WriterSchema schema, int[] indexes) {
        try {
            return WriterMessage.of(schema, indexes, SchemaOrigin.NONE);
        } catch (SchemaException e) {
            throw new AssertionError(e);
        }
    }

    /** What native code says about the message; null if it takes it. */
    private static String refusal(RecordDecoder decoder, byte[] bytes) throws IOException {
        try {
            decoder.decode(Orders.framed(Orders.FRAME, bytes));
            return null;
        } catch (RecordException e) {
            return told(e.code(), e.fieldPath(), e.byteOffset().orElseThrow(), e.reason());
        }
    }

    private static String told(WireFault fault) {
        return told(fault.code(), fault.fieldPath(), fault.byteOffset(), fault.reason());
    }

    private static String told(FailureCode code, String path, long offset, String reason) {
        return code.label() + " '" + path + "' " + offset + ": " + reason;
    }

    /** Whether native code checks parts of the message only when it knows all of them. */
    private static boolean reachesRequired(Descriptor message, Set<Descriptor> seen) {
        if (!seen.add(message)) {
            return false;
        }
        for (FieldDescriptor field : message.getFields()) {
            boolean isNested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
            if (field.isRequired() || isNested && reachesRequired(field.getMessageType(), seen)) {
                return true;
            }
        }
        return false;
    }
}
