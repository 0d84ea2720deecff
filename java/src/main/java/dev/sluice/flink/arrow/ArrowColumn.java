package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.NativeBatch;
import dev.sluice.flink.plan.ColumnDescription;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * A column of a batch, or a part of one, as the Arrow columnar format lays it out. Offsets are 0.
 *
 * <p>Buffers are views of native memory, valid until the batch is closed: reading one afterwards is
 * a fault that nobody catches.
 */
public final class ArrowColumn {
    private final NativeBatch batch;
    private final ColumnDescription column;
    private final List<ArrowColumn> children = new ArrayList<>();

    ArrowColumn(NativeBatch batch, ColumnDescription column) {
        this.batch = batch;
        this.column = column;
        column.getChildrenList().forEach(child -> children.add(new ArrowColumn(batch, child)));
    }

    public String name() {
        return column.getName();
    }

    /**
     * The type as a format string of the C Data Interface: {@code l} is Int64, {@code u} Utf8; of
     * the keys, if there is a {@link #dictionary}.
     */
    public String format() {
        return column.getFormat();
    }

    public boolean isNullable() {
        return column.getNullable();
    }

    /** Number of values. */
    public int length() {
        return Math.toIntExact(column.getLength());
    }

    public int nullCount() {
        return Math.toIntExact(column.getNullCount());
    }

    /** A bit for each value, set where there is one; empty if there is no NULL. */
    public Optional<ByteBuffer> validity() {
        return Optional.ofNullable(batch.buffer(column.getFirstBuffer()));
    }

    /** The buffers behind the validity bits, in the order of the format: offsets, then values. */
    public List<ByteBuffer> buffers() {
        List<ByteBuffer> buffers = new ArrayList<>();
        for (int at = 1; at < column.getBufferCount(); at++) {
            buffers.add(batch.buffer(column.getFirstBuffer() + at));
        }
        return buffers;
    }

    /** Columns of a struct, the elements of a list, the entries of a map. */
    public List<ArrowColumn> children() {
        return Collections.unmodifiableList(children);
    }

    /** The values that the keys in this column stand for. */
    public Optional<ArrowColumn> dictionary() {
        return column.hasDictionary()
                ? Optional.of(new ArrowColumn(batch, column.getDictionary()))
                : Optional.empty();
    }
}
