package dev.sluice.flink.row;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes of a row that is being laid out; grows, and keeps its size for the next row. */
final class LayoutBuffer {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);
    private static final int BYTES_FIRST = 512;

    /** A longer array is given up after its row. */
    private static final int BYTES_KEPT = 1 << 20;

    private byte[] bytes = new byte[BYTES_FIRST];
    private int end;

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    void clear() {
        if (bytes.length > BYTES_KEPT) {
            bytes = new byte[BYTES_FIRST];
        }
        end = 0;
    }

    byte[] bytes() {
        return bytes;
    }

    /** How much is laid out, and where the next value of the variable part begins. */
    int end() {
        return end;
    }

    /**
     * Appends zeros, in whole words; where they begin.
     *
     * @throws IllegalArgumentException if a Java array cannot hold that much
     */
    int reserve(long length) {
        return reserveExactly((length + 7) & ~7L);
    }

    /** Appends zeros, as many as are asked for; where they begin. */
    int reserveExactly(long length) {
        int start = end;
        long next = start + length;
        if (next > bytes.length) {
            grow(next);
        }
        end = (int) next;
        Arrays.fill(bytes, start, end, (byte) 0);
        return start;
    }

    private void grow(long needed) {
        if (needed > Integer.MAX_VALUE - 1024) {
            throw new IllegalArgumentException("the row has more than " + needed + " bytes");
        }
        long doubled = Math.min(2L * bytes.length, Integer.MAX_VALUE - 1024);
        bytes = Arrays.copyOf(bytes, (int) Math.max(doubled, needed));
    }

    void setBit(int at, int bit) {
        bytes[at + (bit >> 3)] |= (byte) (1 << (bit & 7));
    }

    void putByte(int at, int value) {
        bytes[at] = (byte) value;
    }

    void putShort(int at, short value) {
        SHORTS.set(bytes, at, value);
    }

    void putInt(int at, int value) {
        INTS.set(bytes, at, value);
    }

    void putLong(int at, long value) {
        LONGS.set(bytes, at, value);
    }
}
