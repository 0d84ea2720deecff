package dev.sluice.flink.format;

import dev.sluice.flink.engine.RecordDecoder;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a metric group tells about decoding: {@code nativeRecords}, rows made by native code as
 * native code counts them; {@code numDeserializeErrors}, records that were refused; {@code
 * skippedRecords}, those of them that were dropped instead of failing the job. native code counts
 * them, {@code javaRecords}, rows made by the engine in Java, and {@code numDeserializeErrors},
 * records that were refused.
 *
 * <p>The key and the value format of one operator are given the same group, where Flink would drop
 * the second metric of a name. So the decoders of a group share these metrics, which tell sums.
 *
 * <p>The group and the decoders' owners keep the metrics alive; nothing here does.
 */
public final class DecodeMetrics {

    private static final Map<MetricGroup, WeakReference<DecodeMetrics>> BY_GROUP =
            new WeakHashMap<>();

    private final List<RecordDecoder> decoders = new CopyOnWriteArrayList<>();
    private final Counter refused = new SimpleCounter();
    private final Counter skipped = new SimpleCounter();

    private DecodeMetrics() {}

    /**
     * The metrics of a group.
     *
     * @param group null where there is none: then nobody but the caller sees the metrics
     */
    public static DecodeMetrics of(MetricGroup group) {
        if (group == null) {
            return new DecodeMetrics();
        }
        synchronized (BY_GROUP) {
            WeakReference<DecodeMetrics> known = BY_GROUP.get(group);
            DecodeMetrics metrics = known == null ? null : known.get();
            if (metrics == null) {
                metrics = new DecodeMetrics();
                DecodeMetrics told = metrics;
                group.gauge("nativeRecords", () -> told.records(true));
                group.gauge("javaRecords", () -> told.records(false));
                group.counter("numDeserializeErrors", metrics.refused);
                group.counter("skippedRecords", metrics.skipped);
                BY_GROUP.put(group, new WeakReference<>(metrics));
            }
            return metrics;
        }
    }

    /** Counts the rows of this decoder from now on. */
    public void add(RecordDecoder decoder) {
        decoders.add(decoder);
    }

    public void countRefused() {
        refused.inc();
    }

    public void countSkipped() {
        skipped.inc();
    }

    private long records(boolean isNative) {
        return decoders.stream()
                .filter(decoder -> decoder.isNative() == isNative)
                .mapToLong(RecordDecoder::records)
                .sum();
    }
}
