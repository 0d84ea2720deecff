package dev.sluice.flink.bench;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The first place where two rows of one type have different values, whatever classes hold them.
 * Maps are compared as maps: their order is not looked at.
 */
final class RowDifference {
    private RowDifference() {}

    /** Empty if there is none. */
    static Optional<String> find(RowData left, RowData right, RowType type) {
        return Optional.ofNullable(row(left, right, type, ""));
    }

    private static String row(RowData left, RowData right, RowType type, String path) {
        for (int i = 0; i < type.getFieldCount(); i++) {
            LogicalType field = type.getTypeAt(i);
            RowData.FieldGetter getter = RowData.createFieldGetter(field, i);
            String place = path + "." + type.getFieldNames().get(i);
            String found =
                    value(getter.getFieldOrNull(left), getter.getFieldOrNull(right), field, place);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String value(Object left, Object right, LogicalType type, String path) {
        if (left == null || right == null) {
            return left == right ? null : told(path, left, right);
        }
        switch (type.getTypeRoot()) {
            case ROW:
                return row((RowData) left, (RowData) right, (RowType) type, path);
            case ARRAY:
                return array((ArrayData) left, (ArrayData) right, type, path);
            case MAP:
                return map((MapData) left, (MapData) right, type, path);
            case VARBINARY:
                return Arrays.equals((byte[]) left, (byte[]) right)
                        ? null
                        : told(path, left, right);
            case VARCHAR:
                // A lazy text and one of bytes are not equal before both are made.
                return left.toString().equals(right.toString()) ? null : told(path, left, right);
            default:
                return left.equals(right) ? null : told(path, left, right);
        }
    }

    private static String array(ArrayData left, ArrayData right, LogicalType type, String path) {
        if (left.size() != right.size()) {
            return told(path + ".size", left.size(), right.size());
        }
        LogicalType element = type.getChildren().get(0);
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(element);
        for (int i = 0; i < left.size(); i++) {
            String found =
                    value(
                            getter.getElementOrNull(left, i),
                            getter.getElementOrNull(right, i),
                            element,
                            path + "[" + i + "]");
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    private static String map(MapData left, MapData right, LogicalType type, String path) {
        Map<String, Object> lefts = entries(left, type);
        Map<String, Object> rights = entries(right, type);
        if (!lefts.keySet().equals(rights.keySet())) {
            return told(path + ".keys", lefts.keySet(), rights.keySet());
        }
        LogicalType valueType = type.getChildren().get(1);
        for (Map.Entry<String, Object> entry : lefts.entrySet()) {
            Object other = rights.get(entry.getKey());
            String place = path + "[" + entry.getKey() + "]";
            String found = value(entry.getValue(), other, valueType, place);
            if (found != null) {
                return found;
            }
        }
        return null;
    }

    /** Keys of maps are scalars or texts, which are equal exactly if they print alike. */
    private static Map<String, Object> entries(MapData map, LogicalType type) {
        ArrayData.ElementGetter keys = ArrayData.createElementGetter(type.getChildren().get(0));
        ArrayData.ElementGetter values = ArrayData.createElementGetter(type.getChildren().get(1));
        Map<String, Object> entries = new HashMap<>();
        for (int i = 0; i < map.size(); i++) {
            entries.put(
                    String.valueOf(keys.getElementOrNull(map.keyArray(), i)),
                    values.getElementOrNull(map.valueArray(), i));
        }
        return entries;
    }

    private static String told(String path, Object left, Object right) {
        return path.substring(1) + ": " + left + " is not " + right;
    }
}
