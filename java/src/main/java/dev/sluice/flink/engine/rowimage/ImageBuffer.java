package dev.sluice.flink.engine.rowimage;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** The bytes of one row while it grows. Whatever is reserved is zero until it is set. */
final class ImageBuffer {
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private static final int BYTES_FIRST = 256;

    /** A buffer that one large row has made larger than this is not kept for the next. */
    private static final int BYTES_KEPT = 1 << 20;

    private final int bytesMax;
    private byte[] bytes = new byte[BYTES_FIRST];
    private int end;

    ImageBuffer(int bytesMax) {
        this.bytesMax = bytesMax;
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    void clear() {
        if (bytes.length > BYTES_KEPT) {
            bytes = new byte[BYTES_FIRST];
        }
        end = 0;
    }

    /** Where the next value of the variable part begins. */
    int end() {
        return end;
    }

    /** Appends zeros; where they begin. */
    int reserve(long len) {
        if (end + len > bytesMax) {
            throw new RowTooLargeException(bytesMax);
        }
        int start = end;
        int needed = (int) (end + len);
        if (needed > bytes.length) {
            bytes = Arrays.copyOf(bytes, (int) Math.min(bytesMax, Math.max(needed, 2L * end)));
        }
        Arrays.fill(bytes, start, needed, (byte) 0); // of an earlier row
        end = needed;
        return start;
    }

    /** Appends a value, padded with zeros to whole words; where it begins. */
    int append(byte[] value) {
        int start = reserve(padded(value.length));
        System.arraycopy(value, 0, bytes, start, value.length);
        return start;
    }

    /** The length padded to whole words of 8 bytes. */
    static long padded(long len) {
        return (len + 7) & ~7L;
    }

    void orByte(int at, int bits) {
        bytes[at] |= (byte) bits;
    }

    void putByte(int at, byte value) {
        bytes[at] = value;
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

    void putBytes(int at, byte[] value) {
        System.arraycopy(value, 0, bytes, at, value.length);
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, end);
    }
}
