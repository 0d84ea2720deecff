package dev.sluice.flink.bench.table;

import java.util.Arrays;

/** Row bytes as they grow. Slack behind the end lets eight bytes be written anywhere. */
final class RowOutput {
    private static final int SLACK = 64;

    byte[] bytes = new byte[4096];
    int end;

    void room(int more) {
        if (end + more + SLACK > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, end + more + SLACK));
        }
    }

    /** The fixed part of a row that begins here. */
    int begin(MessageTable table) {
        byte[] template = table.template;
        room(template.length);
        int base = end;
        System.arraycopy(template, 0, bytes, base, template.length);
        end = base + template.length;
        return base;
    }

    /** Room for an array of cells of eight bytes, none of them NULL. */
    int beginArray(int count) {
        int array = end;
        int header = headerBytes(count);
        int length = header + 8 * count + 7 & ~7;
        room(length);
        Arrays.fill(bytes, array, array + length, (byte) 0);
        Memory.putInt(bytes, array, count);
        end = array + length;
        return array;
    }

    static int headerBytes(int count) {
        return 4 + (count + 31) / 32 * 4;
    }

    void putPart(int cell, int base, int from) {
        Memory.putLong(bytes, cell, (long) (from - base) << 32 | end - from);
    }

    /** Copies a text and checks it on the way; the cell that holds it or points to it. */
    long text(WireInput input, int from, int length, int base) {
        byte[] in = input.bytes;
        if (length <= MessageTable.INLINE_MAX) {
            long word = Memory.getLong(in, from) & (1L << 8 * length) - 1;
            if ((word & WireInput.HIGH_BITS) != 0) {
                input.requireUtf8(from, from + length);
            }
            return word | (0x80L | length) << 56;
        }
        room(length);
        int start = end;
        byte[] out = bytes;
        // Words that overlap at the end, after the padding is zeroed.
        Memory.putLong(out, start + (length - 1 & ~7), 0);
        long last = Memory.getLong(in, from + length - 8);
        long seen = last;
        int i = 0;
        do {
            long word = Memory.getLong(in, from + i);
            seen |= word;
            Memory.putLong(out, start + i, word);
            i += 8;
        } while (i < length - 8);
        Memory.putLong(out, start + length - 8, last);
        if ((seen & WireInput.HIGH_BITS) != 0) {
            input.requireUtf8(from, from + length);
        }
        end = start + (length + 7 & ~7);
        return (long) (start - base) << 32 | length;
    }
}
