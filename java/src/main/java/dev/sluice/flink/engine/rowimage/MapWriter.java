package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.List;
import java.util.Map;

/**
 * Flink's {@code BinaryMapData}: the length of the key array (4 bytes), key array, value array. A
 * MULTISET is a map from its elements to their counts.
 */
final class MapWriter implements ValueWriter {
    private static final SqlType COUNT = SqlType.newBuilder().setKind(SqlKind.INTEGER).build();

    private final ArrayWriter keys;
    private final ArrayWriter values;

    MapWriter(SqlType key, SqlType value) {
        keys = new ArrayWriter(key);
        values = new ArrayWriter(value);
    }

    static MapWriter ofMultiset(SqlType multiset) {
        return new MapWriter(multiset.getElement(), COUNT);
    }

    @Override
    public long slot(Object value, ImageBuffer out, int base) {
        List<?> entries = (List<?>) value;
        int start = out.reserve(Integer.BYTES);
        ArrayWriter.Elements keyElements = keys.begin(entries.size(), out);
        for (Object entry : entries) {
            keyElements.add(((Map.Entry<?, ?>) entry).getKey());
        }
        out.putInt(start, out.end() - start - Integer.BYTES);
        ArrayWriter.Elements valueElements = values.begin(entries.size(), out);
        for (Object entry : entries) {
            valueElements.add(((Map.Entry<?, ?>) entry).getValue());
        }
        int len = out.end() - start;
        out.reserve(ImageBuffer.padded(len) - len);
        return ValueWriter.place(start - base, len);
    }
}
