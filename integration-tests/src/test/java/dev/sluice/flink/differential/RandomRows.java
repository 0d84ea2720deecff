package dev.sluice.flink.differential;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random rows of a table over a message, with all that a writer must bear: NULLs anywhere, values
 * equal to their defaults, members of one oneof side by side, names and numbers that an enum lacks,
 * texts that are no UTF-8, maps whose keys repeat or share a hash.
 */
final class RandomRows {
    private static final long[] NUMBERS = {
        0,
        0,
        1,
        127,
        128,
        16384,
        -1,
        -2,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 56,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final double[] FLOATS = {
        0,
        -0.0,
        1.5,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        Double.MIN_VALUE,
        Float.MAX_VALUE
    };
    private static final List<String> TEXTS =
            List.of("", "", "a", "k1", "zeta", "žluť", "日本", "😀", "a\0b", "\uffff", "😀\uffff");
    private static final byte[][] NO_TEXTS = {
        {(byte) 0xc3, 0x28},
        {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {(byte) 0xed, (byte) 0xa0, (byte) 0xc2, (byte) 0x80},
        {'x', (byte) 0xf0, (byte) 0x90, (byte) 0x80, 'A'},
        {(byte) 0xff}
    };
    private static final int NAN_WITH_OTHER_BITS = 0x7fc00001;
    private static final int MANY_MIN = 60;
    private static final int MANY_MORE = 41;
    private static final int HASH_BITS = 7;

    private final Random random;

    RandomRows(Random random) {
        this.random = random;
    }

    GenericRowData row(RowType type, Descriptor message) {
        return row(type, message, true);
    }

    private GenericRowData row(RowType type, Descriptor message, boolean isRoot) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        int sparse = 1 + random.nextInt(8);
        for (int at = 0; at < type.getFieldCount(); at++) {
            FieldDescriptor field = message.findFieldByName(type.getFieldNames().get(at));
            boolean isNull =
                    field.isRequired() ? random.nextInt(30) == 0 : random.nextInt(sparse) != 0;
            row.setField(at, isNull ? null : column(type.getTypeAt(at), field, isRoot));
        }
        return row;
    }

    private Object column(LogicalType type, FieldDescriptor field, boolean isRoot) {
        if (type.is(LogicalTypeRoot.ARRAY)) {
            return new GenericArrayData(
                    values(type.getChildren().get(0), field, count(isRoot)).toArray());
        }
        if (type.is(LogicalTypeRoot.MAP)) {
            int count = count(isRoot);
            FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
            return new RowPairs(
                    random.nextInt(3) == 0
                            ? keysOfOneHash(key, count)
                            : values(type.getChildren().get(0), key, count),
                    values(
                            type.getChildren().get(1),
                            field.getMessageType().findFieldByNumber(2),
                            count));
        }
        return single(type, field);
    }

    private int count(boolean isRoot) {
        return isRoot && random.nextInt(12) == 0
                ? MANY_MIN + random.nextInt(MANY_MORE)
                : random.nextInt(4);
    }

    private List<Object> values(LogicalType type, FieldDescriptor field, int count) {
        List<Object> values = new ArrayList<>();
        int nulls = 2 + random.nextInt(10);
        for (int at = 0; at < count; at++) {
            values.add(random.nextInt(nulls) == 0 ? null : single(type, field));
        }
        return values;
    }

    /** As many keys as there may be, of one place in a hash table or of one hash. */
    private List<Object> keysOfOneHash(FieldDescriptor key, int count) {
        List<Object> keys = new ArrayList<>();
        for (int at = 0; at < count; at++) {
            switch (key.getJavaType()) {
                case STRING:
                    StringBuilder text = new StringBuilder();
                    for (int bit = 0; bit < HASH_BITS; bit++) {
                        text.append(random.nextBoolean() ? "Aa" : "BB");
                    }
                    keys.add(StringData.fromString(text.toString()));
                    break;
                case INT:
                    keys.add(random.nextInt(100) << 16);
                    break;
                case LONG:
                    long half = random.nextInt(100);
                    keys.add(half << 32 | half);
                    break;
                default:
                    keys.add(random.nextBoolean());
            }
        }
        return keys;
    }

    private Object single(LogicalType type, FieldDescriptor field) {
        switch (type.getTypeRoot()) {
            case ROW:
                return row((RowType) type, field.getMessageType(), false);
            case BOOLEAN:
                return random.nextBoolean();
            case INTEGER:
                return field.getJavaType() == FieldDescriptor.JavaType.ENUM
                                && random.nextInt(5) != 0
                        ? value(field).getNumber()
                        : (int) number();
            case BIGINT:
                return number();
            case FLOAT:
                return random.nextInt(20) == 0
                        ? Float.intBitsToFloat(NAN_WITH_OTHER_BITS)
                        : (float) FLOATS[random.nextInt(FLOATS.length)];
            case DOUBLE:
                return FLOATS[random.nextInt(FLOATS.length)];
            case VARCHAR:
                return field.getJavaType() == FieldDescriptor.JavaType.ENUM
                                && random.nextInt(5) != 0
                        ? StringData.fromString(value(field).getName())
                        : text();
            default:
                byte[] bytes = new byte[random.nextInt(3) * 5];
                random.nextBytes(bytes);
                return bytes;
        }
    }

    private EnumValueDescriptor value(FieldDescriptor field) {
        List<EnumValueDescriptor> values = field.getEnumType().getValues();
        return values.get(random.nextInt(values.size()));
    }

    private long number() {
        return random.nextInt(3) == 0
                ? random.nextLong() >> random.nextInt(64)
                : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private StringData text() {
        return random.nextInt(10) == 0
                ? StringData.fromBytes(NO_TEXTS[random.nextInt(NO_TEXTS.length)])
                : StringData.fromString(TEXTS.get(random.nextInt(TEXTS.size())));
    }
}
