package dev.sluice.flink.schema;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Values by key, as many as are allowed by their number and by their weights together: beyond
 * either, those used least recently go. The one that came last stays, whatever it weighs.
 *
 * <p>A topic may have any number of schemas over time, of any size, so neither bound does alone.
 */
public final class RecentlyUsed<K, V> {
    private final Map<K, Weighed<V>> values = new LinkedHashMap<>(16, 0.75f, true);
    private final int countMax;
    private final long weightMax;
    private long weight;

    /** Bounded by number alone. */
    public RecentlyUsed(int countMax) {
        this(countMax, Long.MAX_VALUE);
    }

    public RecentlyUsed(int countMax, long weightMax) {
        this.countMax = countMax;
        this.weightMax = weightMax;
    }

    /** The value, which thereby is the one used last; null for none. */
    public V get(K key) {
        Weighed<V> found = values.get(key);
        return found == null ? null : found.value;
    }

    public void put(K key, V value, long weight) {
        remove(key);
        values.put(key, new Weighed<>(value, weight));
        this.weight += weight;
        Iterator<Weighed<V>> eldest = values.values().iterator();
        while ((values.size() > countMax || this.weight > weightMax) && values.size() > 1) {
            this.weight -= eldest.next().weight;
            eldest.remove();
        }
    }

    public void remove(K key) {
        Weighed<V> removed = values.remove(key);
        if (removed != null) {
            weight -= removed.weight;
        }
    }

    public int size() {
        return values.size();
    }

    private static final class Weighed<V> {
        final V value;
        final long weight;

        Weighed(V value, long weight) {
            this.value = value;
            this.weight = weight;
        }
    }
}
