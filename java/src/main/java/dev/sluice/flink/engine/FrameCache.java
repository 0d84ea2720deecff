package dev.sluice.flink.engine;

import dev.sluice.flink.schema.RecentlyUsed;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What is known of frames. A topic may have any number of schemas over time, so only so many are
 * remembered: those used least recently are forgotten first.
 */
public final class FrameCache<V> {
    private final RecentlyUsed<List<Object>, V> known;

    /**
     * @param framesMax how many are remembered
     * @param weightMax of what is known of them, together
     */
    public FrameCache(int framesMax, long weightMax) {
        known = new RecentlyUsed<>(framesMax, weightMax);
    }

    /** What is known of this frame, or null. */
    public V find(Frame frame) {
        return known.size() == 0 ? null : known.get(key(frame));
    }

    public void put(Frame frame, V value, long weight) {
        known.put(key(frame), value, weight);
    }

    void remove(Frame frame) {
        known.remove(key(frame));
    }

    private static List<Object> key(Frame frame) {
        return Arrays.asList(
                frame.key(), Arrays.stream(frame.indexes()).boxed().collect(Collectors.toList()));
    }
}
