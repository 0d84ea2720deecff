package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.schema.SchemaKey;

import java.nio.ByteBuffer;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * What stands in front of the message in a record of a schema registry:
 *
 * <pre>
 * 00 | schema id, 4 bytes big endian | message indexes | message
 * 01 | GUID, 16 bytes big endian     | message indexes | message
 * message indexes = count, then one index each, as zigzag varints; a count of 0 means [0]
 * </pre>
 *
 * <p>Native code reads the same layout for itself; this reader serves the slow path, where the
 * writer schema of a record is not known yet. The two agree on every input.
 */
public final class Frame {
    private static final int MAGIC_ID = 0;
    private static final int MAGIC_GUID = 1;
    private static final int VARINT_BYTES_MAX = 5;

    private final SchemaKey key;
    private final int[] indexes;
    private final int messageOffset;

    private Frame(SchemaKey key, int[] indexes, int messageOffset) {
        this.key = key;
        this.indexes = indexes;
        this.messageOffset = messageOffset;
    }

    /**
     * Reads the frame of a record.
     *
     * @throws RecordException {@code BAD_FRAME} with the offset of the byte that is wrong
     */
    public static Frame read(byte[] record) throws RecordException {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        SchemaKey key = readKey(bytes);
        int[] indexes = readIndexes(bytes);
        return new Frame(key, indexes, bytes.position());
    }

    private static SchemaKey readKey(ByteBuffer bytes) throws RecordException {
        if (!bytes.hasRemaining()) {
            throw bad("the record is empty: it has no magic byte", bytes);
        }
        int magic = bytes.get(0);
        if (magic != MAGIC_ID && magic != MAGIC_GUID) {
            throw bad("the first byte is no magic byte", bytes);
        }
        bytes.get();
        if (magic == MAGIC_ID) {
            requireRemaining(bytes, Integer.BYTES, "the record ends inside the schema id");
            return SchemaKey.ofId(bytes.getInt());
        }
        requireRemaining(bytes, 2 * Long.BYTES, "the record ends inside the schema GUID");
        return SchemaKey.ofGuid(new UUID(bytes.getLong(), bytes.getLong()));
    }

    private static int[] readIndexes(ByteBuffer bytes) throws RecordException {
        int count = readVarint(bytes);
        if (count == 0) {
            return new int[] {0};
        }
        // Each index takes a byte at least, so a huge count allocates nothing.
        if (count < 0 || count > bytes.remaining()) {
            throw bad("the count of message indexes is " + count, bytes);
        }
        int[] indexes = new int[count];
        for (int at = 0; at < count; at++) {
            indexes[at] = readVarint(bytes);
        }
        return indexes;
    }

    /** As {@code ByteUtils.readVarint} of kafka-clients: bits beyond the 32nd are dropped. */
    private static int readVarint(ByteBuffer bytes) throws RecordException {
        int zigzag = 0;
        for (int at = 0; at < VARINT_BYTES_MAX; at++) {
            requireRemaining(bytes, 1, "the record ends inside the message indexes");
            byte next = bytes.get();
            zigzag |= (next & 0x7f) << (7 * at);
            if (next >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw bad("a varint of the message indexes is longer than 5 bytes", bytes);
    }

    private static void requireRemaining(ByteBuffer bytes, int count, String otherwise)
            throws RecordException {
        if (bytes.remaining() < count) {
            bytes.position(bytes.limit());
            throw bad(otherwise, bytes);
        }
    }

    private static RecordException bad(String reason, ByteBuffer bytes) {
        OptionalLong place = OptionalLong.of(bytes.position());
        return new RecordException(FailureCode.BAD_FRAME, reason, null, "", "", place, null);
    }

    public SchemaKey key() {
        return key;
    }

    /** The path to the message: top level first, then nested ones. Never empty. */
    public int[] indexes() {
        return indexes.clone();
    }

    /** Where the message begins in the record; the frame is what stands before. */
    public int messageOffset() {
        return messageOffset;
    }
}
