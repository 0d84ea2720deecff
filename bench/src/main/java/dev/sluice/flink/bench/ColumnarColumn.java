package dev.sluice.flink.bench;

import dev.sluice.flink.arrow.ArrowColumn;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryStringData;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One column of an Arrow batch, read in place; what it gives is valid until the batch is closed.
 */
final class ColumnarColumn {
    private final MemorySegment validity; // null if there is no NULL
    private final MemorySegment first; // offsets, keys or values; null where there are none
    private final MemorySegment[] octets; // of texts
    private final StringData[] names; // of a dictionary
    private final ColumnarColumn[] children;

    ColumnarColumn(ArrowColumn column) {
        validity = column.validity().map(ColumnarColumn::segment).orElse(null);
        List<ByteBuffer> buffers = column.buffers();
        first = buffers.isEmpty() ? null : segment(buffers.get(0));
        octets = buffers.size() < 2 ? null : new MemorySegment[] {segment(buffers.get(1))};
        names = column.dictionary().map(ColumnarColumn::names).orElse(null);
        children = columns(column.children());
    }

    static ColumnarColumn[] columns(List<ArrowColumn> columns) {
        return columns.stream().map(ColumnarColumn::new).toArray(ColumnarColumn[]::new);
    }

    private static MemorySegment segment(ByteBuffer buffer) {
        return buffer.capacity() == 0 ? null : MemorySegmentFactory.wrapOffHeapMemory(buffer);
    }

    private static StringData[] names(ArrowColumn dictionary) {
        ColumnarColumn texts = new ColumnarColumn(dictionary);
        StringData[] names = new StringData[dictionary.length()];
        for (int at = 0; at < names.length; at++) {
            names[at] = texts.text(at);
        }
        return names;
    }

    boolean isNull(int at) {
        return validity != null && !bit(validity, at);
    }

    boolean bool(int at) {
        return bit(first, at);
    }

    int int32(int at) {
        return first.getInt(4 * at);
    }

    long int64(int at) {
        return first.getLong(8 * at);
    }

    StringData text(int at) {
        if (names != null) {
            return names[int32(at)];
        }
        int begin = int32(at);
        return octets[0] == null
                ? BinaryStringData.EMPTY_UTF8
                : BinaryStringData.fromAddress(octets, begin, int32(at + 1) - begin);
    }

    RowData row(int at) {
        return new ColumnarRow(children, at);
    }

    ArrayData array(int at) {
        return new ColumnarArray(children[0], int32(at), int32(at + 1));
    }

    MapData map(int at) {
        ColumnarColumn[] sides = children[0].children;
        int begin = int32(at);
        int end = int32(at + 1);
        ArrayData keys = new ColumnarArray(sides[0], begin, end);
        ArrayData values = new ColumnarArray(sides[1], begin, end);
        return new MapData() {
            @Override
            public int size() {
                return keys.size();
            }

            @Override
            public ArrayData keyArray() {
                return keys;
            }

            @Override
            public ArrayData valueArray() {
                return values;
            }
        };
    }

    private static boolean bit(MemorySegment bits, int at) {
        return (bits.get(at >> 3) >> (at & 7) & 1) != 0;
    }
}
