package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.NativeDecoder;
import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.plan.Failure;
import dev.sluice.flink.schema.SchemaKey;

import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;

class FrameTest {
    private static final int ROUNDS = 20_000;
    private static final byte[] SCHEMA = Orders.schema().build().toByteArray();

    @ParameterizedTest
    @CsvSource({
        "0000000007 00 0801, schema id 7, [0], 6",
        "0000000007 0200 0801, schema id 7, [0], 7",
        "00000186a1 0202 082a, schema id 100001, [1], 7",
        "00ffffffff 040000, schema id -1, '[0, 0]', 8",
        "0000000007 040200, schema id 7, '[1, 0]', 8",
        "0000000007 06040206, schema id 7, '[2, 1, 3]', 9",
        "0000000007 028001, schema id 7, [64], 8",
        "0000000007 82808080000a, schema id 7, [5], 11",
        "01 0102030405060708090a0b0c0d0e0f10 040200,"
                + " schema GUID 01020304-0506-0708-090a-0b0c0d0e0f10, '[1, 0]', 20",
    })
    void reads(String hex, String key, String indexes, int messageOffset) throws Exception {
        Frame frame = Frame.read(bytes(hex));
        assertThat(frame.key()).hasToString(key);
        assertThat(Arrays.toString(frame.indexes())).isEqualTo(indexes);
        assertThat(frame.messageOffset()).isEqualTo(messageOffset);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource({
        "'', bad-frame 201, is empty, 0",
        "00, bad-frame 201, ends inside the schema id, 1",
        "00000007, bad-frame 201, ends inside the schema id, 1",
        "0000000007, bad-frame 201, ends inside the message indexes, 5",
        "0000000007 80, bad-frame 201, ends inside the message indexes, 5",
        "0000000007 0400, bad-frame 201, ends inside the message indexes, 5",
        "0000000007 040080, bad-frame 201, ends inside the message indexes, 7",
        "0000000007 01, bad-frame 201, message indexes is negative, 5",
        "0000000007 feffffff0f, bad-frame 201, ends inside the message indexes, 5",
        "0000000007 8080808080 00, bad-frame 201, longer than 5 bytes, 5",
        "01 0102, bad-frame 201, ends inside the schema GUID, 1",
        "0200000007 00, bad-frame 201, magic byte is 2, 0",
        "7b22696422 3a377d, bad-frame 201, magic byte is 123, 0",
        "ff00000007 00, bad-frame 201, magic byte is 255, 0",
        "0000000007 0201, unknown-message-index 202, message index -1 is negative, 6",
    })
    void refuses(String hex, String code, String reason, long byteOffset) {
        assertThatThrownBy(() -> Frame.read(bytes(hex)))
                .isInstanceOfSatisfying(
                        RecordException.class, e -> assertThat(e.byteOffset()).hasValue(byteOffset))
                .hasMessageContaining("[" + code + "]")
                .hasMessageContaining(reason);
    }

    /** The same answer as Confluent's reader, which is built on {@code ByteUtils}. */
    @Test
    void agreesWithKafkasVarintsOnEveryInput() {
        Random random = new Random(1);
        for (int round = 0; round < ROUNDS; round++) {
            byte[] record = frameLike(random);
            assertThat(describe(record)).as(hex(record)).isEqualTo(reference(record));
        }
    }

    /** What Java reads as a frame is a frame to native code, with the same key and indexes. */
    @Test
    void agreesWithNativeCodeOnEveryInput() throws Exception {
        Random random = new Random(2);
        byte[] plan = Orders.plan().build().toByteArray();
        int frames = 0;
        for (int batch = 0; batch < ROUNDS / 100; batch++) {
            try (NativeDecoder decoder = new NativeDecoder(plan)) {
                for (int round = 0; round < 100; round++) {
                    frames += requireAgreement(decoder, frameLike(random)) ? 1 : 0;
                }
            }
        }
        assertThat(frames).as("frames among the inputs").isBetween(ROUNDS / 10, ROUNDS);
    }

    private static boolean requireAgreement(NativeDecoder decoder, byte[] record) throws Exception {
        Frame frame;
        try {
            frame = Frame.read(record);
        } catch (RecordException e) {
            assertThat(decoder.decodeRow(record)).as(hex(record)).isNull();
            assertThat(decoder.code()).as(hex(record)).isEqualTo(e.code());
            Failure failure = decoder.failure();
            assertThat(failure.getReason()).as(hex(record)).isEqualTo(e.reason());
            assertThat(OptionalLong.of(failure.getByteOffset())).isEqualTo(e.byteOffset());
            return false;
        }
        byte[] whole =
                Orders.framed(
                        Arrays.copyOf(record, frame.messageOffset()), Orders.message(3, "same"));
        // The frame is added in its shortest form: the record's own form must find it.
        assertThat(decoder.addSchema(canonical(frame), SCHEMA)).as(hex(record)).isTrue();
        byte[] row = decoder.decodeRow(whole);
        assertThat(row).as("%s %s", hex(record), decoder.records()).isNotNull();
        assertThat(Orders.text(row)).as(hex(record)).isEqualTo("3 same");
        return true;
    }

    private static byte[] canonical(Frame frame) {
        ByteBuffer bytes = ByteBuffer.allocate(64 + 5 * frame.indexes().length);
        SchemaKey key = frame.key();
        if (key.isGuid()) {
            bytes.put((byte) 1).putLong(key.guid().getMostSignificantBits());
            bytes.putLong(key.guid().getLeastSignificantBits());
        } else {
            bytes.put((byte) 0).putInt(key.id());
        }
        ByteUtils.writeVarint(frame.indexes().length, bytes);
        for (int index : frame.indexes()) {
            ByteUtils.writeVarint(index, bytes);
        }
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static String describe(byte[] record) {
        try {
            Frame frame = Frame.read(record);
            return frame.key() + Arrays.toString(frame.indexes()) + "@" + frame.messageOffset();
        } catch (RecordException e) {
            return "refused";
        }
    }

    private static String reference(byte[] record) {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        try {
            byte magic = bytes.get();
            if (magic != 0 && magic != 1) {
                return "refused";
            }
            SchemaKey key =
                    magic == 0
                            ? SchemaKey.ofId(bytes.getInt())
                            : SchemaKey.ofGuid(new UUID(bytes.getLong(), bytes.getLong()));
            int count = ByteUtils.readVarint(bytes);
            List<Integer> indexes = new ArrayList<>();
            if (count < 0 || count > record.length) {
                return "refused";
            }
            for (int at = 0; at < count; at++) {
                indexes.add(ByteUtils.readVarint(bytes));
                if (indexes.get(at) < 0) {
                    return "refused";
                }
            }
            return key + (count == 0 ? "[0]" : indexes.toString()) + "@" + bytes.position();
        } catch (RuntimeException e) {
            return "refused";
        }
    }

    /** Mostly a good start, then bytes that look like varints. */
    private static byte[] frameLike(Random random) {
        boolean guid = random.nextInt(4) == 0;
        ByteBuffer bytes = ByteBuffer.allocate(64);
        bytes.put((byte) (random.nextInt(20) == 0 ? random.nextInt() : guid ? 1 : 0));
        bytes.put(new byte[guid ? 15 : 3]).put((byte) random.nextInt());
        int count = random.nextInt(5);
        bytes.put((byte) (2 * count));
        for (int left = random.nextInt(4) + count; left > 0; left--) {
            for (int more = random.nextInt(3) == 0 ? random.nextInt(6) : 0; more > 0; more--) {
                bytes.put((byte) (random.nextInt() | 0x80));
            }
            bytes.put((byte) (random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(128)));
        }
        int length = random.nextInt(6) == 0 ? random.nextInt(bytes.position()) : bytes.position();
        return Arrays.copyOf(bytes.array(), length);
    }

    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex.replace(" ", ""));
    }

    private static String hex(byte[] record) {
        return HexFormat.of().formatHex(record);
    }
}
