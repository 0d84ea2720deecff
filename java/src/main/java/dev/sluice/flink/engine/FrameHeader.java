package dev.sluice.flink.engine;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.UUID;

/**
 * Makes what {@link Frame} reads: magic byte, schema id or GUID, message indexes (W1, W5 to W7,
 * W15). The same bytes stand before the message or, alone, in a record header.
 */
public final class FrameHeader {
    private static final byte MAGIC_ID = 0;
    private static final byte MAGIC_GUID = 1;

    private FrameHeader() {}

    /**
     * The header of records with a schema id.
     *
     * @param indexes from the file's messages inwards; {@code [0]} is written as one byte
     */
    public static byte[] of(int id, int[] indexes) {
        return of(
                ByteBuffer.allocate(Byte.BYTES + Integer.BYTES).put(MAGIC_ID).putInt(id), indexes);
    }

    /** The same with a GUID. */
    public static byte[] of(UUID guid, int[] indexes) {
        ByteBuffer key = ByteBuffer.allocate(Byte.BYTES + 2 * Long.BYTES).put(MAGIC_GUID);
        key.putLong(guid.getMostSignificantBits()).putLong(guid.getLeastSignificantBits());
        return of(key, indexes);
    }

    private static byte[] of(ByteBuffer key, int[] indexes) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.writeBytes(key.array());
        if (indexes.length == 1 && indexes[0] == 0) {
            header.write(0);
            return header.toByteArray();
        }
        writeVarint(header, indexes.length);
        for (int index : indexes) {
            writeVarint(header, index);
        }
        return header.toByteArray();
    }

    /** Zigzag, then seven bits a byte, lowest first. */
    private static void writeVarint(ByteArrayOutputStream out, int value) {
        int rest = value << 1 ^ value >> 31;
        while ((rest & ~0x7f) != 0) {
            out.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        out.write(rest);
    }
}
