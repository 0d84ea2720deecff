package dev.sluice.flink.format;

import dev.sluice.flink.engine.RecordEncoder;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * What a metric group tells about encoding; {@code docs/metrics.md} lists it for users. Shared by
 * the key and the value format of one operator, as {@link DecodeMetrics} are.
 */
public final class EncodeMetrics {

    private static final Map<MetricGroup, WeakReference<EncodeMetrics>> BY_GROUP =
            new WeakHashMap<>();

    private final List<RecordEncoder> encoders = new CopyOnWriteArrayList<>();
    private final Counter refused = new SimpleCounter();
    private final Counter bytes = new SimpleCounter();

    private EncodeMetrics() {}

    /**
     * The metrics of a group.
     *
     * @param group null where there is none: then nobody but the caller sees the metrics
     */
    public static EncodeMetrics of(MetricGroup group) {
        if (group == null) {
            return new EncodeMetrics();
        }
        synchronized (BY_GROUP) {
            WeakReference<EncodeMetrics> known = BY_GROUP.get(group);
            EncodeMetrics metrics = known == null ? null : known.get();
            if (metrics == null) {
                metrics = new EncodeMetrics();
                metrics.register(group);
                BY_GROUP.put(group, new WeakReference<>(metrics));
            }
            return metrics;
        }
    }

    private void register(MetricGroup group) {
        group.gauge("nativeRecordsWritten", () -> records(true));
        group.gauge("javaRecordsWritten", () -> records(false));
        group.counter("numSerializeErrors", refused);
        group.counter("bytesWritten", bytes);
    }

    /** Tells of this encoder from now on. */
    public void add(RecordEncoder encoder) {
        encoders.add(encoder);
    }

    public void countRecord(byte[] record) {
        bytes.inc(record.length);
    }

    public void countRefused() {
        refused.inc();
    }

    private long records(boolean isNative) {
        return encoders.stream()
                .filter(encoder -> encoder.isNative() == isNative)
                .mapToLong(RecordEncoder::records)
                .sum();
    }
}
