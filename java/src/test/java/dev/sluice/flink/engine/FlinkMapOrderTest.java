package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;

import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.engine.dynamic.DynamicRecordDecoder;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.WriterDescriptors;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryArrayData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.function.Predicate;

/**
 * Maps of the FLINK profile stand in the order in which a HashMap of Flink's keys iterates, in both
 * engines.
 */
class FlinkMapOrderTest {
    private static final int[] SIZES = {0, 1, 2, 8, 9, 12, 13, 24, 25, 48, 49, 100, 700, 3000};
    private static final int SEEDS = 20;

    /** A kind of key: how it is written, and what Flink makes of it. */
    private enum Key {
        TEXT(FieldKind.FIELD_STRING, SqlKind.VARCHAR, VarCharType.STRING_TYPE) {
            @Override
            void write(CodedOutputStream out, Object key) throws IOException {
                out.writeString(1, key.toString());
            }
        },
        INTEGER(FieldKind.FIELD_SINT32, SqlKind.INTEGER, new IntType()) {
            @Override
            void write(CodedOutputStream out, Object key) throws IOException {
                out.writeSInt32(1, (Integer) key);
            }
        },
        LONG(FieldKind.FIELD_FIXED64, SqlKind.BIGINT, new BigIntType()) {
            @Override
            void write(CodedOutputStream out, Object key) throws IOException {
                out.writeFixed64(1, (Long) key);
            }
        },
        BOOLEAN(FieldKind.FIELD_BOOL, SqlKind.BOOLEAN, new BooleanType()) {
            @Override
            void write(CodedOutputStream out, Object key) throws IOException {
                out.writeBool(1, (Boolean) key);
            }
        };

        private final FieldKind field;
        private final SqlKind column;
        private final LogicalType type;

        Key(FieldKind field, SqlKind column, LogicalType type) {
            this.field = field;
            this.column = column;
            this.type = type;
        }

        abstract void write(CodedOutputStream out, Object key) throws IOException;
    }

    @Test
    void integers() throws Exception {
        check(Key.INTEGER, number -> (int) number);
        check(Key.INTEGER, number -> (int) number % 5000);
        for (int shift : new int[] {4, 6, 10, 16, 20, 26}) {
            check(Key.INTEGER, number -> (int) number << shift);
            check(Key.INTEGER, number -> ((int) number % 40 << shift) + (int) (number >>> 40) % 3);
        }
    }

    @Test
    void longs() throws Exception {
        check(Key.LONG, number -> number);
        check(Key.LONG, number -> number % 5000);
        // One hash for all: compareTo alone gives the trees their shape.
        check(Key.LONG, number -> (number << 32) | (number & 0xffff_ffffL));
        check(Key.LONG, number -> (number % 50 << 32) ^ (number % 7 << 6));
    }

    @Test
    void texts() throws Exception {
        check(Key.TEXT, number -> text(Long.toString(number, 36)));
        check(Key.TEXT, number -> text("k" + Math.abs(number % 4000)));
        check(Key.TEXT, number -> text("é日😀".repeat((int) (number & 3)) + number % 1000));
        // Texts of few bins: trees by hash.
        check(Key.TEXT, number -> text(Integer.toString(crowded((int) number))));
    }

    @Test
    void booleans() throws Exception {
        check(Key.BOOLEAN, number -> number % 2 == 0);
    }

    /**
     * Java's own order of many such texts is another one in each run; both engines give the same.
     */
    @Test
    void textsOfOneHash() throws Exception {
        Random random = new Random(7);
        List<Object> keys = new ArrayList<>();
        while (keys.size() < 3000) {
            byte[] text = new byte[8];
            ByteBuffer words = ByteBuffer.wrap(text).order(ByteOrder.LITTLE_ENDIAN);
            words.putInt(random.nextInt() & 0x7f7f_7f7f);
            words.putInt(secondWord(words.getInt(0)));
            if ((words.getInt(4) & 0x8080_8080) == 0) {
                keys.add(text(new String(text, StandardCharsets.US_ASCII)));
            }
        }
        assertThat(keys).extracting(Object::hashCode).containsOnly(keys.get(0).hashCode());
        for (int size : SIZES) {
            byte[] record = record(Key.TEXT, keys.subList(0, size));
            try (RecordDecoder decoder = new NativeRecordDecoder(plan(Key.TEXT), NO_SCHEMAS);
                    RecordDecoder other = new DynamicRecordDecoder(plan(Key.TEXT), NO_SCHEMAS)) {
                assertThat(other.decode(record)).isEqualTo(decoder.decode(record));
            }
        }
    }

    /**
     * What must follow the first word of a text so that Murmur3 of seed 42 is as for all others.
     */
    private static int secondWord(int first) {
        int mixed = Integer.rotateLeft(first * 0xcc9e2d51, 15) * 0x1b873593;
        int state = Integer.rotateLeft(42 ^ mixed, 13) * 5 + 0xe6546b64;
        int word = (0x5eed ^ state) * inverse(0x1b873593);
        return Integer.rotateRight(word, 15) * inverse(0xcc9e2d51);
    }

    private static int inverse(int odd) {
        return BigInteger.valueOf(odd).modInverse(BigInteger.ONE.shiftLeft(32)).intValue();
    }

    private static StringData text(String text) {
        return StringData.fromString(text);
    }

    /** The next number whose text lies in the first two bins of a table of 256. */
    private static int crowded(int number) {
        int hash;
        do {
            hash = text(Integer.toString(++number)).hashCode();
        } while (((hash ^ (hash >>> 16)) & 254) != 0);
        return number;
    }

    private static void check(Key key, LongFunction<Object> keyOf) throws Exception {
        try (RecordDecoder decoder = new NativeRecordDecoder(plan(key), NO_SCHEMAS);
                RecordDecoder other = new DynamicRecordDecoder(plan(key), NO_SCHEMAS)) {
            for (int size : SIZES) {
                for (int seed = 0; seed < (size > 100 ? 3 : SEEDS); seed++) {
                    Random random = new Random(seed);
                    List<Object> keys = new ArrayList<>();
                    random.longs(size).mapToObj(keyOf).forEach(keys::add);
                    if (key == Key.TEXT) {
                        keys.removeIf(sharesItsHash(new HashMap<>()));
                    }
                    Map<Object, Integer> expected = new HashMap<>();
                    for (int at = 0; at < keys.size(); at++) {
                        expected.put(keys.get(at), at);
                    }
                    List<Object> order = new ArrayList<>(expected.keySet());
                    List<Object> values = new ArrayList<>(expected.values());

                    byte[] record = record(key, keys);
                    byte[] row = decoder.decode(record);
                    assertThat(other.decode(record)).isEqualTo(row);
                    MapData map = map(row);

                    BinaryArrayData decoded = (BinaryArrayData) map.keyArray();
                    assertThat(Arrays.asList(decoded.<Object>toObjectArray(key.type)))
                            .as("%s, seed %s", key, seed)
                            .isEqualTo(order);
                    assertThat(map.valueArray().toIntArray())
                            .isEqualTo(
                                    values.stream().mapToInt(value -> (Integer) value).toArray());
                }
            }
        }
    }

    /** In a tree, Java leaves two texts of one hash to chance. */
    private static Predicate<Object> sharesItsHash(Map<Integer, Object> byHash) {
        return text -> {
            Object first = byHash.putIfAbsent(text.hashCode(), text);
            return first != null && !first.equals(text);
        };
    }

    private static MapData map(byte[] row) {
        BinaryRowData view = new BinaryRowData(1);
        view.pointTo(MemorySegmentFactory.wrap(row), 0, row.length);
        return view.getMap(0);
    }

    /** Entries of field 1, each with the place of its key as value. */
    private static byte[] record(Key key, List<Object> keys) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream message = CodedOutputStream.newInstance(bytes);
        for (int at = 0; at < keys.size(); at++) {
            ByteArrayOutputStream inner = new ByteArrayOutputStream();
            CodedOutputStream entry = CodedOutputStream.newInstance(inner);
            key.write(entry, keys.get(at));
            entry.writeInt32(2, at);
            entry.flush();
            message.writeByteArray(1, inner.toByteArray());
        }
        message.flush();
        return bytes.toByteArray();
    }

    private static final WriterSchemas NO_SCHEMAS =
            (key, indexes) -> {
                throw new AssertionError("bare records have no frame");
            };

    /** Reads {@code m MAP<key, INT>} with read-default-values. */
    private static byte[] plan(Key key) {
        ResolvedSchema.Builder schema = ResolvedSchema.newBuilder().setVersion(1);
        schema.addMessagesBuilder()
                .setFullName("M")
                .addFields(
                        Orders.field("m", 1, FieldKind.FIELD_MESSAGE)
                                .setRepeated(true)
                                .setMessageIndex(1));
        schema.addMessagesBuilder()
                .setFullName("M.MEntry")
                .setMapEntry(true)
                .addFields(Orders.field("key", 1, key.field))
                .addFields(Orders.field("value", 2, FieldKind.FIELD_INT32));
        SqlType.Builder map =
                SqlType.newBuilder()
                        .setKind(SqlKind.MAP)
                        .setNullable(true)
                        .setKey(SqlType.newBuilder().setKind(key.column))
                        .setValue(SqlType.newBuilder().setKind(SqlKind.INTEGER).setNullable(true));
        SqlType.Builder row =
                SqlType.newBuilder()
                        .setKind(SqlKind.ROW)
                        .addColumns(Column.newBuilder().setName("m").setType(map));
        return Orders.plan()
                .setProfile(Profile.FLINK)
                .setFraming(Framing.BARE)
                .setMessage(MessageSelection.newBuilder().setSchema(schema))
                .setDescriptors(
                        WriterDescriptors.newBuilder()
                                .addFiles(file(key).toByteString())
                                .setMessageName("M"))
                .setRow(row)
                .setReader(Orders.plan().getReaderBuilder().setReadDefaults(true))
                .build()
                .toByteArray();
    }

    /** The same message as {@link #plan} has it, for the engine in Java. */
    private static FileDescriptorProto file(Key key) {
        String keyType = key.field.name().replace("FIELD_", "TYPE_");
        DescriptorProto.Builder entry =
                DescriptorProto.newBuilder()
                        .setName("MEntry")
                        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                        .addField(field("key", 1, Type.valueOf(keyType)))
                        .addField(field("value", 2, Type.TYPE_INT32));
        FieldDescriptorProto.Builder m =
                field("m", 1, Type.TYPE_MESSAGE)
                        .setLabel(Label.LABEL_REPEATED)
                        .setTypeName(".M.MEntry");
        return FileDescriptorProto.newBuilder()
                .setName("m.proto")
                .setSyntax("proto3")
                .addMessageType(
                        DescriptorProto.newBuilder().setName("M").addField(m).addNestedType(entry))
                .build();
    }

    private static FieldDescriptorProto.Builder field(String name, int number, Type type) {
        return FieldDescriptorProto.newBuilder()
                .setName(name)
                .setNumber(number)
                .setLabel(Label.LABEL_OPTIONAL)
                .setType(type);
    }
}
