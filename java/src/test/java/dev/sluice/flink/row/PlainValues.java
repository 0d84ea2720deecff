package dev.sluice.flink.row;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Rows of any class as plain lists, read field by field, so that AssertJ can compare them. */
public final class PlainValues {

    public static List<Object> ofRow(RowData row, RowType type) {
        List<Object> values = new ArrayList<>();
        for (int column = 0; column < type.getFieldCount(); column++) {
            LogicalType field = type.getTypeAt(column);
            RowData.FieldGetter getter = RowData.createFieldGetter(field.copy(true), column);
            values.add(of(getter.getFieldOrNull(row), field));
        }
        return values;
    }

    private static Object of(Object value, LogicalType type) {
        if (value == null) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case BINARY:
            case VARBINARY:
                return ByteBuffer.wrap((byte[]) value);
            case CHAR:
            case VARCHAR:
                return value.toString();
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
                return value;
        }
    }

    private static List<Object> ofArray(ArrayData array, LogicalType elementType) {
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(elementType.copy(true));
        List<Object> values = new ArrayList<>();
        for (int at = 0; at < array.size(); at++) {
            values.add(of(getter.getElementOrNull(array, at), elementType));
        }
        return values;
    }

    /** Keys, then values, in entry order: which both sides have from the same hash map. */
    private static List<Object> ofMap(MapData map, LogicalType keyType, LogicalType valueType) {
        return List.of(ofArray(map.keyArray(), keyType), ofArray(map.valueArray(), valueType));
    }

    private PlainValues() {}
}
