package dev.sluice.flink.bench.table;

import com.google.protobuf.Descriptors.Descriptor;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;

/** Contender {@code java-table}. See the package. */
public final class TableDecoder {
    private static final int DEPTH_MAX = 100;

    private final MessageTable root;
    private final int columns;
    private final WireInput input = new WireInput();
    private final RowOutput out = new RowOutput();
    private int[] entries = new int[64]; // key, its length, value, its length

    /**
     * @throws IllegalArgumentException if the message has a field that the loop does not know
     */
    public TableDecoder(Descriptor message, RowType row) {
        root = new MessageTable(message, row);
        columns = row.getFieldCount();
    }

    public RowData decode(byte[] record) {
        input.fill(record);
        out.end = 0;
        row(root, 0, record.length, 0);
        byte[] bytes = Arrays.copyOf(out.bytes, out.end);
        BinaryRowData row = new BinaryRowData(columns);
        row.pointTo(MemorySegmentFactory.wrap(bytes), 0, bytes.length);
        return row;
    }

    private void row(MessageTable table, int from, int end, int depth) {
        if (depth > DEPTH_MAX) {
            throw new RefusedException("nesting");
        }
        int base = out.begin(table);
        byte[] in = input.bytes;
        FieldEntry expected = table.first;
        int at = from;
        while (at < end) {
            FieldEntry field = expected;
            if ((Memory.getInt(in, at) & field.tagMask) == field.tag) {
                at += field.tagBytes;
            } else {
                int tag = (int) input.varint(at, end);
                at = input.at;
                int number = tag >>> 3;
                if (number == 0) {
                    throw new RefusedException("field number");
                }
                field = number < table.byNumber.length ? table.byNumber[number] : null;
                if (field == null || field.wireType != (tag & 7)) {
                    at = input.skip(at, end, tag & 7);
                    continue;
                }
            }
            at = value(field, at, end, base, depth);
            expected = field.next;
        }
        if (at > end) {
            throw new RefusedException("truncated");
        }
    }

    private int value(FieldEntry field, int from, int end, int base, int depth) {
        int slot = base + field.slot;
        switch (field.op) {
            case Op.INT:
                Memory.putLong(out.bytes, slot, input.varint(from, end) & 0xffffffffL);
                return input.at;
            case Op.LONG:
                Memory.putLong(out.bytes, slot, input.varint(from, end));
                return input.at;
            case Op.ZIGZAG_INT:
                int half = (int) input.varint(from, end);
                Memory.putLong(out.bytes, slot, (half >>> 1 ^ -(half & 1)) & 0xffffffffL);
                return input.at;
            case Op.ZIGZAG_LONG:
                long whole = input.varint(from, end);
                Memory.putLong(out.bytes, slot, whole >>> 1 ^ -(whole & 1));
                return input.at;
            case Op.FIXED_INT:
                Memory.putLong(out.bytes, slot, Memory.getInt(input.bytes, from) & 0xffffffffL);
                return from + 4; // the loop finds out if that is behind the end
            case Op.FIXED_LONG:
                Memory.putLong(out.bytes, slot, Memory.getLong(input.bytes, from));
                return from + 8;
            case Op.BOOL:
                Memory.putLong(out.bytes, slot, input.varint(from, end) != 0 ? 1 : 0);
                return input.at;
            case Op.ENUM:
                long number = input.varint(from, end);
                long[] cells = field.enumCells;
                boolean isKnown = number >= 0 && number < cells.length;
                Memory.putLong(out.bytes, slot, cells[isKnown ? (int) number : cells.length - 1]);
                return input.at;
            case Op.TEXT:
                int length = input.length(from, end);
                int start = input.at;
                long cell = out.text(input, start, length, base);
                Memory.putLong(out.bytes, slot, cell);
                return start + length;
            case Op.SKIP_TEXT:
                int skipped = input.length(from, end);
                input.requireText(input.at, skipped);
                return input.at + skipped;
            case Op.SKIP:
                return input.skip(from, end, field.wireType);
            default:
                return part(field, from, end, base, depth);
        }
    }

    private int part(FieldEntry field, int from, int end, int base, int depth) {
        int start = out.end;
        int behind;
        switch (field.op) {
            case Op.MESSAGE:
                int length = input.length(from, end);
                behind = input.at + length;
                row(field.message, input.at, behind, depth + 1);
                break;
            case Op.MESSAGES:
                behind = messages(field, from, end, depth);
                break;
            case Op.TEXT_MAP:
                behind = textMap(field, from, end);
                break;
            default:
                behind = packedLongs(from, end);
        }
        out.putPart(base + field.slot, base, start);
        out.bytes[base + field.nullByte] &= (byte) ~field.nullMask;
        return behind;
    }

    /** All elements that follow each other: they are counted before the first one is read. */
    private int messages(FieldEntry field, int from, int end, int depth) {
        int count = 0;
        int at = from;
        while (true) {
            int length = input.length(at, end);
            at = input.at + length;
            count++;
            if (!repeats(field, at, end)) {
                break;
            }
            at += field.tagBytes;
        }
        int array = out.beginArray(count);
        int cell = array + RowOutput.headerBytes(count);
        at = from;
        for (int i = 0; i < count; i++) {
            int length = input.length(at, end);
            int behind = input.at + length;
            int start = out.end;
            row(field.message, input.at, behind, depth + 1);
            out.putPart(cell + 8 * i, array, start);
            at = i + 1 < count ? behind + field.tagBytes : behind;
        }
        return at;
    }

    private boolean repeats(FieldEntry field, int at, int end) {
        return at < end && (Memory.getInt(input.bytes, at) & field.tagMask) == field.tag;
    }

    private int packedLongs(int from, int end) {
        int length = input.length(from, end);
        int start = input.at;
        int behind = start + length;
        int count = 0;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            long word = Memory.getLong(input.bytes, start + i);
            count += Long.bitCount(~word & WireInput.HIGH_BITS);
        }
        for (; i < length; i++) {
            count += input.bytes[start + i] >= 0 ? 1 : 0;
        }
        int cell = out.beginArray(count) + RowOutput.headerBytes(count);
        for (int at = start; at < behind; at = input.at) {
            Memory.putLong(out.bytes, cell, input.varint(at, behind));
            cell += 8;
        }
        return behind;
    }

    /** All entries that follow each other; the last one of a key counts. */
    private int textMap(FieldEntry field, int from, int end) {
        int count = 0;
        int at = from;
        while (true) {
            int length = input.length(at, end);
            int behind = input.at + length;
            count = entry(input.at, behind, count);
            at = behind;
            if (!repeats(field, at, end)) {
                break;
            }
            at += field.tagBytes;
        }
        int map = out.end;
        out.room(8);
        out.end = map + 4;
        textArray(count, 0);
        Memory.putInt(out.bytes, map, out.end - map - 4);
        textArray(count, 2);
        int padded = out.end - map + 7 & ~7;
        out.room(8);
        Memory.putLong(out.bytes, out.end, 0);
        out.end = map + padded;
        return at;
    }

    private int entry(int from, int end, int count) {
        if (entries.length < 4 * count + 4) {
            entries = Arrays.copyOf(entries, 2 * entries.length);
        }
        int[] known = entries;
        int last = 4 * count;
        Arrays.fill(known, last, last + 4, 0);
        for (int at = from; at < end; ) {
            int tag = (int) input.varint(at, end);
            at = input.at;
            if (tag == (1 << 3 | 2) || tag == (2 << 3 | 2)) {
                int part = last + (tag >>> 3) * 2 - 2;
                known[part + 1] = input.length(at, end);
                known[part] = input.at;
                at = input.at + known[part + 1];
            } else {
                at = input.skip(at, end, tag & 7);
            }
        }
        for (int i = 0; i < last; i += 4) {
            if (isSameKey(known, i, last)) {
                known[i + 2] = known[last + 2];
                known[i + 3] = known[last + 3];
                return count;
            }
        }
        return count + 1;
    }

    private boolean isSameKey(int[] known, int one, int other) {
        return known[one + 1] == known[other + 1]
                && Arrays.equals(
                        input.bytes,
                        known[one],
                        known[one] + known[one + 1],
                        input.bytes,
                        known[other],
                        known[other] + known[other + 1]);
    }

    private void textArray(int count, int part) {
        int array = out.beginArray(count);
        int cell = array + RowOutput.headerBytes(count);
        for (int i = 0; i < count; i++) {
            int from = entries[4 * i + part];
            long text = out.text(input, from, entries[4 * i + part + 1], array);
            Memory.putLong(out.bytes, cell + 8 * i, text);
        }
    }
}
