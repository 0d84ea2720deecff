package dev.sluice.flink.engine;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * What is known of frames. A topic may have any number of schemas over time, so only so many are
 * remembered: those used least recently are forgotten first.
 */
public final class FrameCache<V> {
    private final Map<List<Object>, V> known;

    /**
     * @param framesMax how many are remembered
     */
    public FrameCache(int framesMax) {
        known =
                new LinkedHashMap<>(16, 0.75f, true) {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<List<Object>, V> eldest) {
                        return size() > framesMax;
                    }
                };
    }

    /** What is known of this frame, or null. */
    public V find(Frame frame) {
        return known.isEmpty() ? null : known.get(key(frame));
    }

    public void put(Frame frame, V value) {
        known.put(key(frame), value);
    }

    void remove(Frame frame) {
        known.remove(key(frame));
    }

    private static List<Object> key(Frame frame) {
        return Arrays.asList(
                frame.key(), Arrays.stream(frame.indexes()).boxed().collect(Collectors.toList()));
    }
}
