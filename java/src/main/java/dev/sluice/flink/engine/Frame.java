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
     * @throws RecordException {@code BAD_FRAME}, or {@code UNKNOWN_MESSAGE_INDEX} for an index that
     *     no schema can have; with the offset of the part that is wrong
     */
    public static Frame read(byte[] record) throws RecordException {
        ByteBuffer bytes = ByteBuffer.wrap(record);
        SchemaKey key = readKey(bytes);
        int[] indexes = readIndexes(bytes);
        return new Frame(key, indexes, bytes.position());
    }

    /**
     * Whether a record has no frame (R2): no valid message begins with 0 or 1, so what begins so is
     * a frame, be it a broken one. An empty record is an empty message.
     */
    public static boolean isUnframed(byte[] record) {
        return record.length == 0 || (record[0] & ~1) != 0;
    }

    /** The key of a record whose frame may be wrong behind it; null if there is none. */
    public static SchemaKey findKey(byte[] record) {
        try {
            return readKey(ByteBuffer.wrap(record));
        } catch (RecordException e) {
            return null;
        }
    }

    private static SchemaKey readKey(ByteBuffer bytes) throws RecordException {
        if (!bytes.hasRemaining()) {
            throw bad(0, "the record is empty");
        }
        int magic = Byte.toUnsignedInt(bytes.get());
        switch (magic) {
            case MAGIC_ID:
                if (bytes.remaining() < Integer.BYTES) {
                    throw bad(1, "the record ends inside the schema id");
                }
                return SchemaKey.ofId(bytes.getInt());
            case MAGIC_GUID:
                if (bytes.remaining() < 2 * Long.BYTES) {
                    throw bad(1, "the record ends inside the schema GUID");
                }
                return SchemaKey.ofGuid(new UUID(bytes.getLong(), bytes.getLong()));
            default:
                throw bad(0, "the magic byte is " + magic + ", neither 0 nor 1");
        }
    }

    private static int[] readIndexes(ByteBuffer bytes) throws RecordException {
        int countAt = bytes.position();
        int count = readVarint(bytes);
        if (count < 0) {
            throw bad(countAt, "the number of message indexes is negative");
        }
        // Each index takes a byte at least, so a huge count allocates nothing.
        if (count > bytes.remaining()) {
            throw bad(countAt, "the record ends inside the message indexes");
        }
        // No indexes at all stand for the first message.
        int[] indexes = new int[Math.max(count, 1)];
        for (int at = 0; at < count; at++) {
            int indexAt = bytes.position();
            indexes[at] = readVarint(bytes);
            if (indexes[at] < 0) {
                String reason = "message index " + indexes[at] + " is negative";
                throw refused(FailureCode.UNKNOWN_MESSAGE_INDEX, indexAt, reason);
            }
        }
        return indexes;
    }

    /** As {@code ByteUtils.readVarint} of kafka-clients: bits beyond the 32nd are dropped. */
    private static int readVarint(ByteBuffer bytes) throws RecordException {
        int start = bytes.position();
        int zigzag = 0;
        for (int at = 0; at < VARINT_BYTES_MAX; at++) {
            if (!bytes.hasRemaining()) {
                throw bad(start, "the record ends inside the message indexes");
            }
            byte next = bytes.get();
            zigzag |= (next & 0x7f) << (7 * at);
            if (next >= 0) {
                return (zigzag >>> 1) ^ -(zigzag & 1);
            }
        }
        throw bad(start, "a message index is longer than 5 bytes");
    }

    private static RecordException bad(int at, String reason) {
        return refused(FailureCode.BAD_FRAME, at, reason);
    }

    private static RecordException refused(FailureCode code, int at, String reason) {
        return new RecordException(code, reason, null, "", "", OptionalLong.of(at), null);
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
