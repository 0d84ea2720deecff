package dev.sluice.flink.differential;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.util.HexFormat;
import java.util.StringJoiner;

/**
 * Rows as texts that are equal exactly if the rows are, whatever classes they are made of: floating
 * point numbers by their bits, maps in the order of their keys as {@code MAP_KEYS} tells it.
 *
 * <p>NaNs inside arrays and maps are all one: Flink's array writer has a single one, to which every
 * row comes at the next operator.
 */
final class RowText {
    private RowText() {}

    static String of(RowData row, RowType type) {
        StringJoiner text = new StringJoiner(", ", row.getRowKind().shortString() + "(", ")");
        for (int i = 0; i < type.getFieldCount(); i++) {
            LogicalType field = type.getTypeAt(i).copy(true);
            Object value = RowData.createFieldGetter(field, i).getFieldOrNull(row);
            text.add(type.getFieldNames().get(i) + "=" + of(value, field, false));
        }
        return text.toString();
    }

    private static String of(Object value, LogicalType type, boolean inArray) {
        if (value == null) {
            return "NULL";
        }
        switch (type.getTypeRoot()) {
            case ROW:
                return of((RowData) value, (RowType) type);
            case ARRAY:
                return elements((ArrayData) value, type.getChildren().get(0));
            case MAP:
                MapData map = (MapData) value;
                return elements(map.keyArray(), type.getChildren().get(0))
                        + "->"
                        + elements(map.valueArray(), type.getChildren().get(1));
            case VARCHAR:
            case CHAR:
                return "'" + value + "'";
            case BINARY:
            case VARBINARY:
                return "x'" + HexFormat.of().formatHex((byte[]) value) + "'";
            case FLOAT:
                Float single = (Float) value;
                return inArray && single.isNaN()
                        ? "NaN"
                        : Integer.toHexString(Float.floatToRawIntBits(single)) + "f";
            case DOUBLE:
                Double wide = (Double) value;
                return inArray && wide.isNaN()
                        ? "NaN"
                        : Long.toHexString(Double.doubleToRawLongBits(wide)) + "d";
            default:
                return value.toString();
        }
    }

    private static String elements(ArrayData array, LogicalType type) {
        LogicalType nullable = type.copy(true);
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(nullable);
        StringJoiner text = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < array.size(); i++) {
            text.add(of(getter.getElementOrNull(array, i), nullable, true));
        }
        return text.toString();
    }
}
