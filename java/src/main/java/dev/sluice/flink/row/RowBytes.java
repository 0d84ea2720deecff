package dev.sluice.flink.row;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.types.logical.RowType;

/**
 * The bytes of a row in Flink's binary layout. A row that is one range of a heap array is not
 * copied; any other is laid out first, into memory that is used again. Belongs to one thread.
 */
public final class RowBytes {
    private final RowLayout layout;
    private final LayoutBuffer laidOut = new LayoutBuffer();
    private byte[] bytes;
    private int offset;
    private int length;

    /** Rows of this type. */
    public RowBytes(RowType type) {
        this.layout = new RowLayout(type);
    }

    /**
     * Looks at a row; what the getters give is valid until it is changed, or the next one looked
     * at.
     */
    public void take(RowData row) {
        if (row instanceof BinaryRowData) {
            take((BinaryRowData) row);
            return;
        }
        laidOut.clear();
        layout.append(row, laidOut);
        bytes = laidOut.bytes();
        offset = 0;
        length = laidOut.end();
    }

    private void take(BinaryRowData row) {
        length = row.getSizeInBytes();
        MemorySegment[] segments = row.getSegments();
        if (segments.length == 1 && !segments[0].isOffHeap()) {
            bytes = segments[0].getArray();
            offset = row.getOffset();
        } else {
            bytes = BinarySegmentUtils.copyToBytes(segments, row.getOffset(), length);
            offset = 0;
        }
    }

    /** An array that holds the row; not to be changed. */
    public byte[] bytes() {
        return bytes;
    }

    public int offset() {
        return offset;
    }

    public int length() {
        return length;
    }
}
