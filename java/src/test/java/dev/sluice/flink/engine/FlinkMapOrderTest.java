package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;

import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

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
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.LongFunction;

/** Maps of the FLINK profile stand in the order in which a HashMap of Flink's keys iterates. */
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
        try (RecordDecoder decoder = decoder(key)) {
            for (int size : SIZES) {
                for (int seed = 0; seed < (size > 100 ? 3 : SEEDS); seed++) {
                    Random random = new Random(seed);
                    List<Object> keys = new ArrayList<>();
                    random.longs(size).mapToObj(keyOf).forEach(keys::add);
                    Map<Object, Integer> expected = new HashMap<>();
                    for (int at = 0; at < size; at++) {
                        expected.put(keys.get(at), at);
                    }
                    List<Object> order = new ArrayList<>(expected.keySet());
                    List<Object> values = new ArrayList<>(expected.values());

                    MapData map = map(decoder.decode(record(key, keys)));

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

    /** Reads {@code m MAP<key, INT>} with read-default-values. */
    private static RecordDecoder decoder(Key key) throws Exception {
        ResolvedSchema schema =
                ResolvedSchema.newBuilder()
                        .setVersion(1)
                        .addMessages(
                                ResolvedMessage.newBuilder()
                                        .setFullName("M")
                                        .addFields(
                                                Orders.field("m", 1, FieldKind.FIELD_MESSAGE)
                                                        .setRepeated(true)
                                                        .setMessageIndex(1)))
                        .addMessages(
                                ResolvedMessage.newBuilder()
                                        .setFullName("M.MEntry")
                                        .setMapEntry(true)
                                        .addFields(Orders.field("key", 1, key.field))
                                        .addFields(Orders.field("value", 2, FieldKind.FIELD_INT32)))
                        .build();
        SqlType map =
                SqlType.newBuilder()
                        .setKind(SqlKind.MAP)
                        .setNullable(true)
                        .setKey(SqlType.newBuilder().setKind(key.column))
                        .setValue(SqlType.newBuilder().setKind(SqlKind.INTEGER).setNullable(true))
                        .build();
        byte[] plan =
                Orders.plan()
                        .setProfile(Profile.FLINK)
                        .setFraming(Framing.BARE)
                        .setMessage(MessageSelection.newBuilder().setSchema(schema))
                        .setRow(
                                SqlType.newBuilder()
                                        .setKind(SqlKind.ROW)
                                        .addColumns(Column.newBuilder().setName("m").setType(map)))
                        .setReader(Orders.plan().getReaderBuilder().setReadDefaults(true))
                        .build()
                        .toByteArray();
        return new NativeRecordDecoder(
                plan,
                (schemaKey, indexes) -> {
                    throw new AssertionError("bare records have no frame");
                });
    }
}
