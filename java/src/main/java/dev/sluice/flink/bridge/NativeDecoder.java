package dev.sluice.flink.bridge;

import dev.sluice.flink.plan.Failure;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A decoder in native memory: one plan, the programs of the writer schemas met so far, an input
 * slab and a row buffer. Programs are shared by all decoders of the process that have the same
 * plan.
 *
 * <p>Belongs to one thread. {@link #close} may come from another thread and waits for the call that
 * is running; a decoder that is dropped unclosed is released by the garbage collector's {@link
 * Cleaner}. Both run the release at most once. Use after close is an {@link IllegalStateException}.
 *
 * <p>Record path: one call into native code, nothing thrown from it, and no allocation but the row.
 */
public final class NativeDecoder implements AutoCloseable {
    private static final Cleaner CLEANER = Cleaner.create();
    private static final int MOVED = -FailureCode.ROW_BUFFER_MOVED.number();

    private final NativeHandle handle;
    private final Cleaner.Cleanable release;

    /**
     * Native memory where records are written; it stays where it is until the decoder is closed.
     * Like {@link #rows} it is the decoder's, so it never leaves this class.
     */
    private final ByteBuffer input;

    /** The native row buffer, which moves when it has to grow. */
    private ByteBuffer rows;

    private int code;

    /** What native code tells of the records of a poll. */
    private int[] results = {};

    /**
     * Compiles a plan.
     *
     * @throws PlanRefusedException if native code does not accept it
     * @throws NativeUnavailableException if there is no native library
     */
    public NativeDecoder(byte[] plan) throws PlanRefusedException {
        NativeLibrary.require();
        long opened = open(plan);
        NativeLog.drain();
        if (opened < 0) {
            throw new PlanRefusedException(NativeFailure.read((int) -opened, planFailure(plan)));
        }
        handle = new NativeHandle(opened);
        release = CLEANER.register(this, handle);
        input = inputBuffer(opened);
        rows = rowBuffer(opened);
    }

    /**
     * The bytes of the record's row, or null if it is refused: {@link #code} and {@link #failure}
     * say why.
     */
    public byte[] decodeRow(byte[] record) {
        long open = handle.enter();
        try {
            int result = decode(open, record);
            if (result == MOVED) {
                rows = rowBuffer(open);
                result = decode(open, record);
            }
            if (result < 0) {
                code = -result;
                return null;
            }
            byte[] row = new byte[result];
            rows.position(0);
            rows.get(row);
            return row;
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private int decode(long open, byte[] record) {
        int length = record.length;
        if (length > input.capacity()) {
            return decodeArray(open, record, length);
        }
        input.position(0);
        input.put(record);
        return decodeInput(open, length);
    }

    /**
     * Decides records of a poll in one call, or as many of them as one call can.
     *
     * @param prefixes what stands before the record of the same index, null for nothing; null if
     *     that holds for all
     * @param from index of the first record to decide
     * @param to index behind the last one
     * @param bytesMax for the rows of this call together
     * @param rows gets each row that was made, under the index of its record
     * @param outcomes gets, for each record that was decided, the number of its message in {@link
     *     #messages}, or the negative number of the code that refuses it
     * @return index of the first record that is not decided. If there is one, its outcome is the
     *     negative number of {@code UNKNOWN_SCHEMA} if its schema has to be added first, or 0 if
     *     another call, with room for its row, will decide it
     * @throws IllegalStateException if the decoder is closed, or has failed as a whole
     */
    public int decodeRows(
            byte[][] prefixes,
            byte[][] records,
            int from,
            int to,
            int bytesMax,
            byte[][] rows,
            int[] outcomes) {
        long open = handle.enter();
        try {
            if (results.length < 2 * (to - from) + 2) {
                results = new int[2 * (to - from) + 2];
            }
            int count = decodeRows(open, prefixes, records, from, to, bytesMax, results);
            if (count < 0) {
                code = -count;
                throw new IllegalStateException("polls cannot be decoded: " + code());
            }
            if (results[2 * count + 1] != 0) {
                this.rows = rowBuffer(open);
            }
            int next = takeRows(from, from + count, bytesMax, rows, outcomes);
            if (next < to) {
                outcomes[next] = next == from + count ? -results[2 * count] : 0;
            }
            return next;
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private int takeRows(int from, int to, int bytesMax, byte[][] taken, int[] outcomes) {
        int bytes = 0;
        for (int at = from; at < to; at++) {
            int length = results[2 * (at - from)];
            if (length < 0) {
                outcomes[at] = length;
                continue;
            }
            if (bytes + length > bytesMax) {
                return at;
            }
            byte[] row = new byte[length];
            rows.position(bytes);
            rows.get(row);
            bytes += length;
            taken[at] = row;
            outcomes[at] = results[2 * (at - from) + 1];
        }
        return to;
    }

    /** Messages that rows were made of, by full name, in the order in which they were met. */
    public List<String> messages() {
        return rowLines().map(line -> line[0]).collect(Collectors.toList());
    }

    /**
     * Adds the schema for all records whose frame is this one.
     *
     * @param frame the bytes of a record before its message; empty for records without frame
     * @param resolved a serialized {@code ResolvedSchema}
     * @return false if it is refused: {@link #code} and {@link #failure} say why
     */
    public boolean addSchema(byte[] frame, byte[] resolved) {
        long open = handle.enter();
        try {
            int result = addSchema(open, frame, resolved);
            code = -result;
            return result >= 0;
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
            NativeLog.drain();
        }
    }

    /** Why the last call was refused. */
    public FailureCode code() {
        return FailureCode.of(code);
    }

    /** Why the last call was refused, with the place. */
    public Failure failure() {
        long open = handle.enter();
        try {
            return NativeFailure.read(code, lastFailure(open));
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
            NativeLog.drain();
        }
    }

    /** Rows made so far, as native code counts them. From any thread, also after close. */
    public long records() {
        return handle.records();
    }

    /** Rows made so far of each message, by full name. From any thread, also after close. */
    public Map<String, Long> rowsByMessage() {
        Map<String, Long> rows = new TreeMap<>();
        rowLines().forEach(line -> rows.put(line[0], Long.parseLong(line[1])));
        return rows;
    }

    private Stream<String[]> rowLines() {
        String lines = new String(handle.rowsByMessage(), StandardCharsets.UTF_8);
        return lines.lines().map(line -> line.split("\t"));
    }

    @Override
    public void close() {
        release.clean();
        NativeLog.drain();
    }

    /** The gate, for tests. */
    NativeHandle handle() {
        return handle;
    }

    /** A panic inside the guard, as a bug of ours would cause; the decoder is poisoned by it. */
    void panicForTest() {
        long open = handle.enter();
        try {
            code = -panicForTest(open);
        } finally {
            handle.leave();
            Reference.reachabilityFence(this);
        }
    }

    private static native long open(byte[] plan);

    private static native byte[] planFailure(byte[] plan);

    private static native int decodeInput(long handle, int length);

    private static native int decodeArray(long handle, byte[] record, int length);

    private static native ByteBuffer inputBuffer(long handle);

    private static native int decodeRows(
            long handle,
            byte[][] prefixes,
            byte[][] records,
            int from,
            int to,
            int bytesMax,
            int[] results);

    private static native ByteBuffer rowBuffer(long handle);

    private static native int addSchema(long handle, byte[] frame, byte[] resolved);

    private static native byte[] lastFailure(long handle);

    private static native int panicForTest(long handle);
}
