package dev.sluice.flink.kafka;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The header of the payloads that one open format makes: it names their schema, which the payload
 * then does not (W14 to W16). Format and producer have no object in common but the payload: its
 * identity tells a producer which header to put.
 *
 * <p>One payload waits at most, from the moment it is made until its producer sends it, which is
 * before the next one is made. All of it happens on one thread; other threads only compare their
 * own payloads with the one that waits. Formats are held weakly.
 */
public final class PayloadHeader {
    private static final Set<PayloadHeader> OPEN =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private final byte[] value;
    private Object waiting; // null: none
    private boolean hasProducer;

    /**
     * The header of a format that opens.
     *
     * @param value shared by all records, not to be changed
     */
    public PayloadHeader(byte[] value) {
        this.value = value;
        OPEN.add(this);
    }

    /**
     * A payload was made and is to be sent with this header.
     *
     * @throws IllegalStateException if no producer puts headers, or the one before was sent without
     */
    public void awaitSending(byte[] payload) {
        if (!hasProducer) {
            // The format opens before its producer is made, so this is the first chance to know.
            requireProducer();
            hasProducer = true;
        }
        if (waiting != null) {
            throw new IllegalStateException(
                    "A record was sent without the header that names its schema: the interceptor"
                            + " did not meet the array that the format made. "
                            + InterceptorClasses.HINT
                            + " It has to stand before interceptors that replace keys or values.");
        }
        waiting = payload;
    }

    private static void requireProducer() {
        if (!ProducerHeaders.areOpened()) {
            throw new IllegalStateException(
                    "Nothing puts headers into the records, which 'id-encoding' = 'header' needs. "
                            + InterceptorClasses.HINT);
        }
    }

    /** The header whose payload this is, and which has not been put yet; null if there is none. */
    static PayloadHeader find(Object payload) {
        List<PayloadHeader> all;
        synchronized (OPEN) {
            all = new ArrayList<>(OPEN);
        }
        for (PayloadHeader header : all) {
            if (header.waiting == payload) {
                return header;
            }
        }
        return null;
    }

    /** Whether this payload waits for the header; it is handed out once. */
    boolean take(Object payload) {
        if (waiting != payload) {
            return false;
        }
        waiting = null;
        return true;
    }

    byte[] value() {
        return value;
    }
}
