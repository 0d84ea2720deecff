package dev.sluice.flink.engine.agreement;

import dev.sluice.flink.engine.rowimage.ImageArray;
import dev.sluice.flink.engine.rowimage.ImageCell;
import dev.sluice.flink.engine.rowimage.ImageRow;
import dev.sluice.flink.engine.rowimage.TimestampValue;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Rows as values that can be changed: NULLs where the reader makes none, numbers that do not fit,
 * texts that are no names or no UTF-8, keys that come twice.
 */
final class RowValues {
    private static final SqlType COUNT = SqlType.newBuilder().setKind(SqlKind.INTEGER).build();

    private final Random random;
    private final int oneIn; // of so many values one is changed; 0 for none

    RowValues(Random random, int oneIn) {
        this.random = random;
        this.oneIn = oneIn;
    }

    /** Values as {@link dev.sluice.flink.engine.rowimage.RowImage} takes them. */
    Object[] row(byte[] image, SqlType type) {
        int columns = type.getColumnsCount();
        return row(ImageRow.of(image, 0, image.length, columns)::cell, type);
    }

    private Object[] row(IntFunction<ImageCell> cells, SqlType type) {
        Object[] values = new Object[type.getColumnsCount()];
        for (int at = 0; at < values.length; at++) {
            values[at] = value(cells.apply(at), type.getColumns(at).getType());
        }
        return values;
    }

    private Object value(ImageCell cell, SqlType type) {
        boolean changes = oneIn > 0 && random.nextInt(oneIn) == 0;
        if (cell == null || changes && random.nextInt(3) == 0) {
            return null;
        }
        switch (type.getKind()) {
            case BOOLEAN:
                return cell.bool();
            case TINYINT:
                return changes ? (byte) random.nextInt() : cell.int8();
            case SMALLINT:
                return changes ? (short) random.nextInt() : cell.int16();
            case INTEGER:
            case DATE:
            case TIME:
                return changes ? random.nextInt() : cell.int32();
            case BIGINT:
                return changes ? random.nextLong() : cell.int64();
            case FLOAT:
                return changes ? -0.0f : cell.float32();
            case DOUBLE:
                return changes ? Double.longBitsToDouble(random.nextLong()) : cell.float64();
            case CHAR:
            case VARCHAR:
            case BINARY:
            case VARBINARY:
                return changes ? octets() : cell.octets();
            case DECIMAL:
                return decimal(cell, type, changes);
            case TIMESTAMP:
            case TIMESTAMP_LTZ:
                boolean compact = type.getPrecision() <= 3;
                return changes && compact
                        ? new TimestampValue(random.nextLong(), 0)
                        : cell.timestamp(compact);
            case ROW:
                return row(cell.row(type.getColumnsCount())::cell, type);
            case ARRAY:
                return array(cell.array(type.getElement().getKind()), type.getElement());
            default:
                return map(cell, type);
        }
    }

    private byte[] octets() {
        byte[] bytes = new byte[random.nextInt(4) * random.nextInt(5)];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Object decimal(ImageCell cell, SqlType type, boolean negated) {
        BigInteger unscaled =
                type.getPrecision() <= 18
                        ? BigInteger.valueOf(cell.int64())
                        : new BigInteger(cell.octets());
        return new BigDecimal(negated ? unscaled.negate() : unscaled, type.getScale());
    }

    private List<Object> array(ImageArray array, SqlType element) {
        List<Object> values = new ArrayList<>();
        for (int at = 0; at < array.size(); at++) {
            values.add(value(array.cell(at), element));
        }
        return values;
    }

    private List<Map.Entry<Object, Object>> map(ImageCell cell, SqlType type) {
        boolean counts = type.getKind() == SqlKind.MULTISET;
        SqlType key = counts ? type.getElement() : type.getKey();
        SqlType value = counts ? COUNT : type.getValue();
        ImageArray[] sides = cell.map(key.getKind(), value.getKind());
        List<Map.Entry<Object, Object>> entries = new ArrayList<>();
        for (int at = 0; at < sides[0].size(); at++) {
            Object keyValue = value(sides[0].cell(at), key);
            entries.add(new SimpleImmutableEntry<>(keyValue, value(sides[1].cell(at), value)));
            if (oneIn > 0 && random.nextInt(oneIn) == 0) {
                entries.add(entries.get(random.nextInt(entries.size())));
            }
        }
        if (oneIn > 0) {
            Collections.shuffle(entries, random);
        }
        return entries;
    }
}
