package dev.sluice.flink.it;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HexFormat;

/** The registry's frame, written by hand from its specification (W1, W5, W6). */
public final class Frames {
    private Frames() {}

    /** Magic byte, schema id, message indexes, message. */
    public static byte[] framed(int id, int[] indexes, byte[] message) {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(ByteBuffer.allocate(5).put((byte) 0).putInt(id).array());
        if (indexes.length == 1 && indexes[0] == 0) {
            record.write(0);
        } else {
            writeVarint(record, indexes.length);
            for (int index : indexes) {
                writeVarint(record, index);
            }
        }
        record.writeBytes(message);
        return record.toByteArray();
    }

    /** Magic byte and id, then any bytes, given as hexadecimal digits. */
    public static byte[] afterId(int id, String hex) {
        byte[] rest = HexFormat.of().parseHex(hex);
        return ByteBuffer.allocate(5 + rest.length).put((byte) 0).putInt(id).put(rest).array();
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
