package dev.sluice.flink.engine.dynamic;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A string key with the hash code of Flink's {@code BinaryStringData}. Comparable, unlike that in
 * the sense of {@code HashMap}, so that among many keys of one hash each is found quickly.
 */
final class TextKey implements Comparable<TextKey> {
    private static final int SEED = 42;

    private final byte[] utf8;
    private final int hash;

    TextKey(byte[] utf8) {
        this.utf8 = utf8;
        this.hash = hash(utf8);
    }

    /**
     * 32-bit Murmur3, but each byte behind the last whole word is mixed in like a word, with its
     * sign (Flink 1.20 and 2.3, {@code MurmurHashUtils.hashBytes}).
     */
    private static int hash(byte[] utf8) {
        ByteBuffer bytes = ByteBuffer.wrap(utf8).order(ByteOrder.LITTLE_ENDIAN);
        int hash = SEED;
        while (bytes.remaining() >= Integer.BYTES) {
            hash = mix(hash, bytes.getInt());
        }
        while (bytes.hasRemaining()) {
            hash = mix(hash, bytes.get());
        }
        hash ^= utf8.length;
        hash ^= hash >>> 16;
        hash *= 0x85ebca6b;
        hash ^= hash >>> 13;
        hash *= 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    private static int mix(int hash, int word) {
        int mixed = Integer.rotateLeft(word * 0xcc9e2d51, 15) * 0x1b873593;
        return Integer.rotateLeft(hash ^ mixed, 13) * 5 + 0xe6546b64;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TextKey && Arrays.equals(utf8, ((TextKey) other).utf8);
    }

    @Override
    public int compareTo(TextKey other) {
        return Arrays.compareUnsigned(utf8, other.utf8);
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
