package dev.sluice.flink.engine.rowimage;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** The image of a {@code BinaryRowData}, the other direction of {@link RowImage}. */
public final class ImageRow {
    private static final int HEADER_BITS = 8;

    private final ByteBuffer image;
    private final int base;
    private final int slotsAt;

    ImageRow(ByteBuffer image, int base, int columns) {
        this.image = image;
        this.base = base;
        slotsAt = base + (HEADER_BITS + columns + 63) / 64 * Long.BYTES;
    }

    /** The row in a range of {@code bytes}, which are not copied. */
    public static ImageRow of(byte[] bytes, int offset, int length, int columns) {
        ByteBuffer image = ByteBuffer.wrap(bytes, offset, length).slice();
        return new ImageRow(image.order(ByteOrder.LITTLE_ENDIAN), 0, columns);
    }

    /** The value of a column; null for NULL. */
    public ImageCell cell(int column) {
        int bit = HEADER_BITS + column;
        return (image.get(base + bit / 8) >> bit % 8 & 1) != 0
                ? null
                : new ImageCell(image, slotsAt + Long.BYTES * column, base);
    }
}
