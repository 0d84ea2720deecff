package dev.sluice.flink.differential;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.MapData;

import java.util.List;

/**
 * A map of rows that keeps the order of its entries and may hold a key twice, as the binary maps
 * that travel between operators may.
 */
final class RowPairs implements MapData {
    private final Object[] keys;
    private final Object[] values;

    RowPairs(List<?> keys, List<?> values) {
        this.keys = keys.toArray();
        this.values = values.toArray();
    }

    @Override
    public int size() {
        return keys.length;
    }

    @Override
    public ArrayData keyArray() {
        return new GenericArrayData(keys);
    }

    @Override
    public ArrayData valueArray() {
        return new GenericArrayData(values);
    }
}
