package dev.sluice.flink.engine.rowimage;

import java.nio.ByteBuffer;

/** The image of a {@code BinaryArrayData}: count, a null bit for each element, elements. */
public final class ImageArray {
    private final ByteBuffer image;
    private final int base;
    private final int size;
    private final int elementsAt;
    private final int width;

    ImageArray(ByteBuffer image, int base, int width) {
        this.image = image;
        this.base = base;
        this.width = width;
        size = image.getInt(base);
        elementsAt = base + Integer.BYTES + (size + 31) / 32 * Integer.BYTES;
        if (size < 0 || (long) size * width > image.limit() - elementsAt) {
            throw new IndexOutOfBoundsException("an array leads out of the row");
        }
    }

    public int size() {
        return size;
    }

    /** The element; null for NULL. */
    public ImageCell cell(int element) {
        int bits = image.get(base + Integer.BYTES + element / 8);
        return (bits >> element % 8 & 1) != 0
                ? null
                : new ImageCell(image, elementsAt + element * width, base);
    }
}
