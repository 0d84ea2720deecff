package dev.sluice.flink.row;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DateType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LocalZonedTimestampType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.SmallIntType;
import org.apache.flink.table.types.logical.TimeType;
import org.apache.flink.table.types.logical.TimestampType;
import org.apache.flink.table.types.logical.TinyIntType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Random row types and rows of them: every SQL type in every nesting, with lengths and precisions
 * on both sides of the limits between compact and long layouts.
 */
public final class RandomRows {

    private final Random random;
    private final boolean anyNan;

    public RandomRows(long seed) {
        this(seed, true);
    }

    /**
     * @param anyNan whether a NaN has any bits, which Flink's arrays do not keep
     */
    RandomRows(long seed, boolean anyNan) {
        this.random = new Random(seed);
        this.anyNan = anyNan;
    }

    public RowType rowType() {
        return rowType(3, random.nextInt(70) == 0 ? 70 : 8);
    }

    private RowType rowType(int depth, int columnsMax) {
        LogicalType[] types = new LogicalType[random.nextInt(columnsMax + 1)];
        for (int column = 0; column < types.length; column++) {
            types[column] = type(depth);
        }
        return (RowType) RowType.of(types).copy(random.nextBoolean());
    }

    private LogicalType type(int depth) {
        return anyType(depth).copy(random.nextInt(3) > 0);
    }

    private LogicalType anyType(int depth) {
        switch (random.nextInt(depth == 0 ? 16 : 20)) {
            case 0:
                return new BooleanType();
            case 1:
                return new TinyIntType();
            case 2:
                return new SmallIntType();
            case 3:
                return new IntType();
            case 4:
                return new BigIntType();
            case 5:
                return new FloatType();
            case 6:
                return new DoubleType();
            case 7:
                return new DateType();
            case 8:
                return new TimeType(random.nextInt(10));
            case 9:
                return new TimestampType(random.nextInt(10));
            case 10:
                return new LocalZonedTimestampType(random.nextInt(10));
            case 11:
                int precision = 1 + random.nextInt(38);
                return new DecimalType(precision, random.nextInt(precision + 1));
            case 12:
                return new CharType(1 + random.nextInt(20));
            case 13:
                return new VarCharType(VarCharType.MAX_LENGTH);
            case 14:
                return new BinaryType(1 + random.nextInt(20));
            case 15:
                return new VarBinaryType(VarBinaryType.MAX_LENGTH);
            case 16:
                return new ArrayType(type(depth - 1));
            case 17:
                return new MapType(type(0), type(depth - 1));
            case 18:
                return new MultisetType(type(0));
            default:
                return rowType(depth - 1, 4);
        }
    }

    public GenericRowData row(RowType type) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        for (int column = 0; column < type.getFieldCount(); column++) {
            row.setField(column, value(type.getTypeAt(column)));
        }
        return row;
    }

    private Object value(LogicalType type) {
        if (type.isNullable() && random.nextInt(4) == 0) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return random.nextBoolean();
            case TINYINT:
                return (byte) random.nextInt();
            case SMALLINT:
                return (short) random.nextInt();
            case INTEGER:
            case DATE:
                return random.nextInt();
            case TIME_WITHOUT_TIME_ZONE:
                return random.nextInt(86_400_000);
            case BIGINT:
                return random.nextLong();
            case FLOAT:
                // one in eight a NaN of any bits
                int bits = random.nextInt();
                return number(
                        Float.intBitsToFloat(random.nextInt(8) == 0 ? bits | 0x7fc0_0000 : bits));
            case DOUBLE:
                long wide = random.nextLong();
                return number(
                        Double.longBitsToDouble(
                                random.nextInt(8) == 0 ? wide | 0x7ffL << 52 : wide));
            case CHAR:
            case VARCHAR:
                return StringData.fromString(text());
            case BINARY:
            case VARBINARY:
                byte[] bytes = new byte[random.nextInt(20)];
                random.nextBytes(bytes);
                return bytes;
            case DECIMAL:
                return decimal((DecimalType) type);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return timestamp(((TimestampType) type).getPrecision());
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return timestamp(((LocalZonedTimestampType) type).getPrecision());
            case ARRAY:
                return new GenericArrayData(values(((ArrayType) type).getElementType()).toArray());
            case MAP:
                return map(((MapType) type).getKeyType(), ((MapType) type).getValueType());
            case MULTISET:
                return map(((MultisetType) type).getElementType(), new IntType(false));
            default:
                return row((RowType) type);
        }
    }

    /** Around the seven bytes that stand in the fixed part; also characters of several bytes. */
    private String text() {
        StringBuilder text = new StringBuilder();
        int length = random.nextInt(12);
        while (text.length() < length) {
            text.appendCodePoint(random.nextInt(5) == 0 ? 0x1F600 : 'a' + random.nextInt(26));
        }
        return text.toString();
    }

    private DecimalData decimal(DecimalType type) {
        BigInteger limit = BigInteger.TEN.pow(type.getPrecision());
        BigInteger digits =
                random.nextInt(4) == 0
                        ? BigInteger.TEN
                                .pow(random.nextInt(type.getPrecision() + 1))
                                .subtract(BigInteger.ONE)
                        : new BigInteger(130, random).mod(limit);
        BigInteger unscaled = random.nextBoolean() ? digits : digits.negate();
        return DecimalData.fromBigDecimal(
                new BigDecimal(unscaled, type.getScale()), type.getPrecision(), type.getScale());
    }

    private TimestampData timestamp(int precision) {
        long millis = random.nextInt() * 1000L + (precision > 0 ? random.nextInt(1000) : 0);
        return TimestampData.fromEpochMillis(millis, precision > 3 ? random.nextInt(1_000_000) : 0);
    }

    private List<Object> values(LogicalType type) {
        List<Object> values = new ArrayList<>();
        int count = random.nextInt(40) == 0 ? 70 : random.nextInt(5);
        while (values.size() < count) {
            values.add(value(type));
        }
        return values;
    }

    private GenericMapData map(LogicalType keyType, LogicalType valueType) {
        Map<Object, Object> map = new HashMap<>();
        for (Object key : values(keyType)) {
            map.put(key, value(valueType));
        }
        return new GenericMapData(map);
    }

    private float number(float value) {
        return anyNan || !Float.isNaN(value) ? value : Float.NaN;
    }

    private double number(double value) {
        return anyNan || !Double.isNaN(value) ? value : Double.NaN;
    }
}
