package dev.sluice.flink.mapping;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;

import java.time.LocalDate;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.StringJoiner;

/** Values as people write them: {@code 'text'}, {@code [1, NULL]}, <code>{'k': 1}</code>. */
final class ValueText {

    static String of(Object value, LogicalType type) {
        if (value == null) {
            return "NULL";
        }
        switch (type.getTypeRoot()) {
            case CHAR:
            case VARCHAR:
                return "'" + value + "'";
            case BINARY:
            case VARBINARY:
                return "x'" + HexFormat.of().formatHex((byte[]) value) + "'";
            case BOOLEAN:
                return value.toString().toUpperCase();
            case DATE:
                return LocalDate.ofEpochDay((Integer) value).toString();
            case TIME_WITHOUT_TIME_ZONE:
                return LocalTime.ofNanoOfDay((Integer) value * 1_000_000L).toString();
            case ARRAY:
                return ofArray((ArrayData) value, ((ArrayType) type).getElementType());
            case MAP:
                MapType map = (MapType) type;
                return ofMap((MapData) value, map.getKeyType(), map.getValueType());
            case MULTISET:
                LogicalType element = ((MultisetType) type).getElementType();
                return ofMap((MapData) value, element, new IntType());
            case ROW:
                return ofRow((RowData) value, (RowType) type);
            default:
                return value.toString();
        }
    }

    private static String ofArray(ArrayData array, LogicalType elementType) {
        StringJoiner elements = new StringJoiner(", ", "[", "]");
        for (int at = 0; at < array.size(); at++) {
            elements.add(element(array, at, elementType));
        }
        return elements.toString();
    }

    private static String ofMap(MapData map, LogicalType keyType, LogicalType valueType) {
        StringJoiner entries = new StringJoiner(", ", "{", "}");
        for (int at = 0; at < map.size(); at++) {
            String key = element(map.keyArray(), at, keyType);
            entries.add(key + ": " + element(map.valueArray(), at, valueType));
        }
        return entries.toString();
    }

    private static String element(ArrayData array, int at, LogicalType type) {
        return of(ArrayData.createElementGetter(type.copy(true)).getElementOrNull(array, at), type);
    }

    private static String ofRow(RowData row, RowType type) {
        StringJoiner columns = new StringJoiner(", ", "(", ")");
        for (int column = 0; column < type.getFieldCount(); column++) {
            LogicalType field = type.getTypeAt(column);
            RowData.FieldGetter getter = RowData.createFieldGetter(field.copy(true), column);
            columns.add(of(getter.getFieldOrNull(row), field));
        }
        return columns.toString();
    }

    private ValueText() {}
}
