package dev.sluice.flink.kafka;

import dev.sluice.flink.engine.PollDecoder;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;

/**
 * One format's claim on the keys or the values of one consumer: a decoder of its own for the plan
 * of that format, which the consumer's thread uses, and the format's share of memory.
 */
final class PollBinding implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PollBinding.class);

    private final PollDecoder decoder;
    private final boolean framed;
    private final HeaderFrames frames = new HeaderFrames();
    private final long bytesMax;
    private final AtomicLong waitingBytes;
    private volatile boolean closed;

    /**
     * @param decoder owned from now on
     * @param framed whether schema ids in headers mean something to the format
     * @param bytesMax for rows that wait
     * @param waitingBytes of such rows, shared by all bindings of the format
     */
    PollBinding(PollDecoder decoder, boolean framed, long bytesMax, AtomicLong waitingBytes) {
        this.decoder = decoder;
        this.framed = framed;
        this.bytesMax = bytesMax;
        this.waitingBytes = waitingBytes;
    }

    boolean isOpen() {
        return !closed;
    }

    /**
     * Decodes records ahead of their turn. Whatever goes wrong shows at the turn of the record that
     * it concerns, which is decoded again then.
     *
     * @param headers by record, with null for none; null: none at all
     * @param rows gets the rows that were made
     * @param outcomes gets the messages of these rows, and why others have none
     * @return bytes of the rows, which count as waiting until they are {@link #released}
     */
    int decode(byte[][] headers, byte[][] records, int count, byte[][] rows, int[] outcomes) {
        long room = bytesMax - waitingBytes.get();
        if (room <= 0) {
            return 0;
        }
        int bytes = 0;
        try {
            byte[][] prefixes = framed && headers != null ? prefixes(headers, count) : null;
            int most = (int) Math.min(room, Integer.MAX_VALUE);
            decoder.decodeAll(prefixes, records, count, most, rows, outcomes);
            for (int at = 0; at < count; at++) {
                bytes += rows[at] == null ? 0 : rows[at].length;
            }
        } catch (RuntimeException e) {
            // Most often the task has ended and closed the decoder.
            Arrays.fill(rows, null);
            Arrays.fill(outcomes, 0);
            bytes = 0;
            if (!closed) {
                LOG.warn("polls are no longer decoded ahead", e);
            }
            close();
        }
        waitingBytes.addAndGet(bytes);
        return bytes;
    }

    private byte[][] prefixes(byte[][] headers, int count) {
        byte[][] prefixes = new byte[count][];
        for (int at = 0; at < count; at++) {
            prefixes[at] = headers[at] == null ? null : frames.prefixOrRefused(headers[at]);
        }
        return prefixes;
    }

    void released(int bytes) {
        waitingBytes.addAndGet(-bytes);
    }

    /** Name of a message that a row was made of. From any thread, also once closed. */
    String message(int number) {
        return decoder.messages().get(number);
    }

    /** From any thread; twice is allowed. */
    @Override
    public void close() {
        closed = true;
        decoder.close();
    }
}
