package dev.sluice.flink.kafka;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/**
 * The keys or the values of one poll, in the order in which the consumer hands them out: which is
 * the order in which Flink's Kafka source emits them. Records without this half are left out.
 *
 * <p>Filled by the fetcher thread before its poll is published. Afterwards it is looked at under
 * the lock of {@link ConsumerPolls} until a format has found the consumer by a record of this role,
 * and from then on by that format's thread alone; but for {@link #release}.
 */
final class PollSide {
    private static final AtomicIntegerFieldUpdater<PollSide> ROW_BYTES =
            AtomicIntegerFieldUpdater.newUpdater(PollSide.class, "rowBytes");

    /**
     * Fewer are decoded at their turn. A poll of one record comes from a consumer that has caught
     * up: its task has time, and is only woken up more often if it gets its rows sooner.
     */
    static final int DECODED_MIN = 2;

    private final int capacity;
    private byte[][] records; // null: none
    private byte[][] headers; // null: no record has the header
    private int count;

    private byte[][] rows; // null: not decoded
    private int[] outcomes;
    private PollBinding decodedFor;
    private volatile int rowBytes; // of those that wait

    private int next;

    PollSide(int capacity) {
        this.capacity = capacity;
    }

    /**
     * @param record null for none; then nothing is added
     * @param header the value of the schema id's header, null for none
     */
    void add(byte[] record, byte[] header) {
        if (record == null) {
            return;
        }
        if (records == null) {
            records = new byte[capacity][];
        }
        if (header != null) {
            if (headers == null) {
                headers = new byte[capacity][];
            }
            headers[count] = header;
        }
        records[count++] = record;
    }

    /** Decodes what can be decoded now, if it is worth it; the rest is left to its turn. */
    void decodeFor(PollBinding binding) {
        if (count < DECODED_MIN) {
            return;
        }
        byte[][] made = new byte[count][];
        int[] decided = new int[count];
        rowBytes = binding.decode(headers, records, count, made, decided);
        rows = made;
        outcomes = decided;
        decodedFor = binding;
    }

    /**
     * Moves to this record, which is most often the next one.
     *
     * @return false if it is not here
     */
    boolean seek(byte[] record) {
        if (next < count && records[next] == record) {
            return true;
        }
        for (int at = next + 1; at < count; at++) {
            if (records[at] == record) {
                next = at;
                return true;
            }
        }
        for (int at = Math.min(next, count) - 1; at >= 0; at--) {
            if (records[at] == record) {
                next = at;
                return true;
            }
        }
        return false;
    }

    boolean isNext(byte[] record) {
        return next < count && records[next] == record;
    }

    /** The header of the next record, null for none. */
    byte[] header() {
        return headers == null ? null : headers[next];
    }

    /** The row of the next record, if it was made for this binding; it is given out once. */
    byte[] takeRow(PollBinding binding) {
        if (rows == null || decodedFor != binding) {
            return null;
        }
        byte[] row = rows[next];
        rows[next] = null;
        return row;
    }

    /** Message of the next record's row, or the negative code that it has instead of one. */
    int outcome(PollBinding binding) {
        return rows == null || decodedFor != binding ? 0 : outcomes[next];
    }

    /**
     * Goes on to the next record.
     *
     * @return false behind the last one
     */
    boolean step() {
        return ++next < count;
    }

    boolean isOver() {
        return count == 0;
    }

    /** Nobody will ask for a record any more. */
    void drop() {
        release();
        count = 0;
        next = 0;
        records = null;
        headers = null;
        rows = null;
        outcomes = null;
    }

    /** Its rows wait no longer, whether somebody asked for them or not. From either thread. */
    void release() {
        if (decodedFor != null) {
            decodedFor.released(ROW_BYTES.getAndSet(this, 0));
        }
    }
}
