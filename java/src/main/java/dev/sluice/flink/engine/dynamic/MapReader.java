package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Entries as a MAP or MULTISET: of equal keys the last value wins, at the place of the first (D11).
 * A value that is replaced is not converted, so it cannot fail for what it holds.
 */
final class MapReader implements ColumnReader {
    /** Columns of the entry's row. */
    static final int KEY = 0;

    static final int VALUE = 1;

    private final FieldDescriptor field;
    private final RowConverter entry;
    private final MapKeys keys;
    private final FieldDescriptor droppedIfUnknown;
    private final boolean nullIfEmpty;

    /**
     * @param entry the row of key and value
     * @param droppedIfUnknown the value field of entries that do not count if its enum lacks the
     *     last number; null where all count
     */
    MapReader(
            FieldDescriptor field,
            RowConverter entry,
            MapKeys keys,
            FieldDescriptor droppedIfUnknown,
            boolean nullIfEmpty) {
        this.field = field;
        this.entry = entry;
        this.keys = keys;
        this.droppedIfUnknown = droppedIfUnknown;
        this.nullIfEmpty = nullIfEmpty;
    }

    /** A key that stands in the map, and the entry that has its last value. */
    private static final class Kept {
        final Object key;
        Fields last;

        Kept(Object key) {
            this.key = key;
        }
    }

    @Override
    public Object read(Fields message) throws FaultException {
        try {
            List<Map.Entry<Object, Object>> map = entries(message);
            return map.isEmpty() && nullIfEmpty ? null : map;
        } catch (FaultException fault) {
            throw fault.inside(field.getName() + "[]");
        }
    }

    private List<Map.Entry<Object, Object>> entries(Fields message) throws FaultException {
        Map<Object, Kept> byKey = new LinkedHashMap<>();
        for (int at = 0; at < message.count(field); at++) {
            Fields found = (Fields) message.element(field, at);
            if (droppedIfUnknown != null
                    && EnumPairs.isUnknown((EnumValueDescriptor) found.value(droppedIfUnknown))) {
                continue;
            }
            Object key = entry.column(found, KEY);
            byKey.computeIfAbsent(keys.identity(key), same -> new Kept(key)).last = found;
        }
        List<Map.Entry<Object, Object>> map = new ArrayList<>(byKey.size());
        for (Kept kept : keys.inOrder(byKey).values()) {
            map.add(new SimpleImmutableEntry<>(kept.key, entry.column(kept.last, VALUE)));
        }
        return map;
    }
}
