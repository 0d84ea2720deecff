package dev.sluice.flink.corpus;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.util.LinkedHashMap;
import java.util.Map;

/** Any row as a tree of Flink's generic classes, so that nothing of the binary layout is left. */
final class Generic {
    private Generic() {}

    /** The row as Flink itself lays it out: the canonical binary form. */
    static BinaryRowData canonical(RowData row, RowType type) {
        return new RowDataSerializer(type).toBinaryRow(row(row, type));
    }

    private static GenericRowData row(RowData row, RowType type) {
        GenericRowData generic = new GenericRowData(row.getRowKind(), type.getFieldCount());
        for (int i = 0; i < type.getFieldCount(); i++) {
            LogicalType field = type.getTypeAt(i);
            generic.setField(
                    i,
                    of(RowData.createFieldGetter(field.copy(true), i).getFieldOrNull(row), field));
        }
        return generic;
    }

    private static Object of(Object value, LogicalType type) {
        if (value == null) {
            return null;
        }
        switch (type.getTypeRoot()) {
            case ROW:
                return row((RowData) value, (RowType) type);
            case ARRAY:
                return new GenericArrayData(elements((ArrayData) value, type.getChildren().get(0)));
            case MAP:
            case MULTISET:
                MapData map = (MapData) value;
                boolean counts = type.is(LogicalTypeRoot.MULTISET);
                LogicalType of = counts ? new IntType(false) : type.getChildren().get(1);
                Object[] keys = elements(map.keyArray(), type.getChildren().get(0));
                Object[] values = elements(map.valueArray(), of);
                Map<Object, Object> entries = new LinkedHashMap<>();
                for (int i = 0; i < keys.length; i++) {
                    entries.put(keys[i], values[i]);
                }
                return new GenericMapData(entries);
            default:
                return value;
        }
    }

    private static Object[] elements(ArrayData array, LogicalType type) {
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(type.copy(true));
        Object[] elements = new Object[array.size()];
        for (int i = 0; i < elements.length; i++) {
            elements[i] = of(getter.getElementOrNull(array, i), type);
        }
        return elements;
    }
}
