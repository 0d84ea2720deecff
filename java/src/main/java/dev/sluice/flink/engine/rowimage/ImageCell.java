package dev.sluice.flink.engine.rowimage;

import dev.sluice.flink.plan.SqlKind;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * One value that is not NULL in the image of a row: the slot of a column, or an element of an
 * array. What is asked of it must be what the table's type says; offsets that lead out of the image
 * end in an {@link IndexOutOfBoundsException}.
 */
public final class ImageCell {
    private static final long IN_SLOT = 1L << 63;

    private final ByteBuffer image; // little endian
    private final int at;
    private final int base; // offsets are counted from here

    ImageCell(ByteBuffer image, int at, int base) {
        this.image = image;
        this.at = at;
        this.base = base;
    }

    public boolean bool() {
        return image.get(at) != 0;
    }

    public byte int8() {
        return image.get(at);
    }

    public short int16() {
        return image.getShort(at);
    }

    public int int32() {
        return image.getInt(at);
    }

    public long int64() {
        return image.getLong(at);
    }

    public float float32() {
        return image.getFloat(at);
    }

    public double float64() {
        return image.getDouble(at);
    }

    /** The bytes of text or BYTES; up to seven stand in the cell itself. */
    public byte[] octets() {
        long word = image.getLong(at);
        if ((word & IN_SLOT) == 0) {
            return copy(partAt(), (int) word);
        }
        int length = (int) (word >>> 56) & 0x7f;
        if (length >= Long.BYTES) {
            throw new IndexOutOfBoundsException("a cell holds at most seven bytes");
        }
        return copy(at, length);
    }

    /** Milliseconds and nanoseconds of a timestamp, whose nanoseconds are 0 if it is compact. */
    public TimestampValue timestamp(boolean compact) {
        return compact
                ? new TimestampValue(int64(), 0)
                : new TimestampValue(image.getLong(partAt()), int32());
    }

    /** A nested row. */
    public ImageRow row(int columns) {
        return new ImageRow(image, partAt(), columns);
    }

    /** An array with elements of this kind. */
    public ImageArray array(SqlKind element) {
        return new ImageArray(image, partAt(), ArrayWriter.width(element));
    }

    /** The keys and the values of a map. */
    public ImageArray[] map(SqlKind key, SqlKind value) {
        int keysAt = partAt() + Integer.BYTES;
        int valuesAt = keysAt + image.getInt(partAt());
        return new ImageArray[] {
            new ImageArray(image, keysAt, ArrayWriter.width(key)),
            new ImageArray(image, valuesAt, ArrayWriter.width(value))
        };
    }

    private int partAt() {
        return base + (int) (image.getLong(at) >>> 32);
    }

    private byte[] copy(int from, int length) {
        byte[] bytes = image.array();
        int start = image.arrayOffset() + from;
        if (from < 0 || length < 0 || length > image.limit() - from) {
            throw new IndexOutOfBoundsException("a value leads out of the row");
        }
        return Arrays.copyOfRange(bytes, start, start + length);
    }
}
