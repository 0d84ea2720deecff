package dev.sluice.flink.bench.table;

import sun.misc.Unsafe;

import java.lang.reflect.Field;

/** Little-endian access to byte arrays without bounds checks; callers have checked. */
final class Memory {
    private static final Unsafe UNSAFE = unsafe();
    private static final long BASE = Unsafe.ARRAY_BYTE_BASE_OFFSET;

    private Memory() {}

    static long getLong(byte[] bytes, int at) {
        return UNSAFE.getLong(bytes, BASE + at);
    }

    static int getInt(byte[] bytes, int at) {
        return UNSAFE.getInt(bytes, BASE + at);
    }

    static void putLong(byte[] bytes, int at, long value) {
        UNSAFE.putLong(bytes, BASE + at, value);
    }

    static void putInt(byte[] bytes, int at, int value) {
        UNSAFE.putInt(bytes, BASE + at, value);
    }

    private static Unsafe unsafe() {
        try {
            Field field = Unsafe.class.getDeclaredField("theUnsafe");
            field.setAccessible(true);
            return (Unsafe) field.get(null);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
