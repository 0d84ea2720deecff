package dev.sluice.flink.kafka;

import java.lang.ref.Cleaner;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Where formats meet the consumers of their class loader. Interceptor and format are made apart, by
 * Kafka and by Flink, and have no other object in common.
 *
 * <p>Consumers are held weakly: an interceptor that is dropped unclosed leaves nothing. Only one
 * that was closed before a format asked for the first of its records is held until that happens, or
 * until the consumer's answers with these records are garbage.
 */
final class Polls {
    private static final Set<ConsumerPolls> OPEN = Collections.newSetFromMap(new WeakHashMap<>());
    private static final Set<ConsumerPolls> LEFT = new HashSet<>();

    /**
     * Grows with each consumer. A format that looked in vain need not look again before it grows:
     * whether its consumer has an interceptor does not change, and a consumer counts before any of
     * its records is handed out.
     */
    private static volatile long epoch;

    private Polls() {}

    static long epoch() {
        return epoch;
    }

    static synchronized void open(ConsumerPolls consumer) {
        OPEN.add(consumer);
        epoch++;
        purge();
    }

    static void closed(ConsumerPolls consumer) {
        synchronized (Polls.class) {
            OPEN.remove(consumer);
            if (consumer.mayBeFound()) {
                LEFT.add(consumer);
            }
            purge();
            if (!LEFT.contains(consumer)) {
                return;
            }
        }
        for (Object source : consumer.sources()) {
            Cleaners.SHARED.register(source, Polls::purge);
        }
    }

    /** Consumers whose records may be asked for. */
    static synchronized List<ConsumerPolls> all() {
        List<ConsumerPolls> all = new ArrayList<>(OPEN);
        all.addAll(LEFT);
        return all;
    }

    /** A format has found this consumer, and holds it from now on. */
    static synchronized void found(ConsumerPolls consumer) {
        if (!consumer.mayBeFound()) {
            LEFT.remove(consumer);
        }
    }

    /** Made when it is needed, which is seldom: a cleaner has a thread. */
    private static final class Cleaners {
        static final Cleaner SHARED = Cleaner.create();
    }

    private static synchronized void purge() {
        LEFT.removeIf(consumer -> !consumer.mayBeFound() || consumer.sources().length == 0);
    }
}
