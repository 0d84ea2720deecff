package dev.sluice.flink.kafka;

import java.lang.ref.WeakReference;

/**
 * The records of one poll. Made and filled by the fetcher thread, handed over by {@link
 * ConsumerPolls#publish}, read by the task thread.
 */
public final class Poll {
    private final PollSide keys;
    private final PollSide values;
    private WeakReference<Object> source; // set when it is published

    /**
     * @param capacity for so many records at most
     */
    public Poll(int capacity) {
        keys = new PollSide(capacity);
        values = new PollSide(capacity);
    }

    /**
     * Adds the next record in the order of the consumer's answer. What is no array of bytes, as of
     * a consumer with other deserializers, is nothing that a format could ask for.
     *
     * @param keyHeader the value of the last header {@link ConsumerPolls#KEY_HEADER}, null for none
     * @param valueHeader likewise
     */
    public void add(Object key, byte[] keyHeader, Object value, byte[] valueHeader) {
        keys.add(octets(key), keyHeader);
        values.add(octets(value), valueHeader);
    }

    private static byte[] octets(Object half) {
        return half instanceof byte[] ? (byte[]) half : null;
    }

    /** What keeps the records alive as long as somebody may ask for them. */
    void from(Object answer) {
        source = new WeakReference<>(answer);
    }

    /** The consumer's answer while its records may still be asked for, else null. */
    Object source() {
        return source.get();
    }

    PollSide side(Role role) {
        return role == Role.KEY ? keys : values;
    }

    /** Whether nobody will ask for a record any more. */
    boolean isOver() {
        return keys.isOver() && values.isOver();
    }

    void release() {
        keys.release();
        values.release();
    }
}
