package dev.sluice.flink.engine.rowimage;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.List;

/** Values of Flink's classes as the values that {@link RowImage} takes. */
final class ImageValues {

    static Object[] ofRow(RowData row, RowType type) {
        Object[] values = new Object[type.getFieldCount()];
        for (int column = 0; column < values.length; column++) {
            LogicalType field = type.getTypeAt(column);
            RowData.FieldGetter getter = RowData.createFieldGetter(field.copy(true), column);
            values[column] = of(getter.getFieldOrNull(row), field);
        }
        return values;
    }

    static Object of(Object value, LogicalType type) {
        if (value == null) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case CHAR:
            case VARCHAR:
                return ((StringData) value).toBytes();
            case DECIMAL:
                return ((DecimalData) value).toBigDecimal();
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                TimestampData timestamp = (TimestampData) value;
                return new TimestampValue(
                        timestamp.getMillisecond(), timestamp.getNanoOfMillisecond());
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

    private static List<Object> ofMap(MapData map, LogicalType keyType, LogicalType valueType) {
        List<Object> keys = ofArray(map.keyArray(), keyType);
        List<Object> values = ofArray(map.valueArray(), valueType);
        List<Object> entries = new ArrayList<>();
        for (int at = 0; at < keys.size(); at++) {
            entries.add(new SimpleImmutableEntry<>(keys.get(at), values.get(at)));
        }
        return entries;
    }

    private ImageValues() {}
}
