package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlType;

import java.util.Collections;

/**
 * Canonical bytes of single values: two values are one map key exactly if their bytes are equal.
 * Made once per type; an instance belongs to one thread.
 */
public final class ElementImage {
    private final ArrayWriter array;
    private final ImageBuffer out = new ImageBuffer(Integer.MAX_VALUE - 8);

    /** Values of {@code type}, of the classes that {@link RowImage} lists. */
    public ElementImage(SqlType type) {
        array = new ArrayWriter(type);
    }

    /** The bytes of an array with this one element, which may be null; NaN is canonical. */
    public byte[] write(Object value) {
        out.clear();
        array.append(Collections.singletonList(value), out);
        return out.toBytes();
    }
}
