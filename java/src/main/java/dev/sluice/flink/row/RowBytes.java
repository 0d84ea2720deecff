package dev.sluice.flink.row;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinarySegmentUtils;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;

/**
 * The bytes of a row in Flink's binary layout. A row that is one range of a heap array is not
 * copied; any other is laid out first, into memory that is used again. Belongs to one thread.
 */
public final class RowBytes {
    private final RowDataSerializer serializer;
    private byte[] bytes;
    private int offset;
    private int length;

    /** Rows of this type. */
    public RowBytes(RowType type) {
        this.serializer = new RowDataSerializer(type);
    }

    /**
     * Looks at a row; what the getters give is valid until it is changed, or the next one looked
     * at.
     */
    public void take(RowData row) {
        BinaryRowData binary = serializer.toBinaryRow(row);
        length = binary.getSizeInBytes();
        MemorySegment[] segments = binary.getSegments();
        if (segments.length == 1 && !segments[0].isOffHeap()) {
            bytes = segments[0].getArray();
            offset = binary.getOffset();
        } else {
            bytes = BinarySegmentUtils.copyToBytes(segments, binary.getOffset(), length);
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
