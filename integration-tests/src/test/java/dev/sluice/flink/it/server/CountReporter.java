package dev.sluice.flink.it.server;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Keeps the sums of the format's own counts, and of checkpoints, over all jobs of this JVM, also
 * after their tasks are gone: a metric that is taken away leaves its last value behind.
 */
public final class CountReporter implements MetricReporter {
    private static final Set<String> COUNTED =
            Set.of(
                    "nativeRecords",
                    "javaRecords",
                    "polledRecords",
                    "nativeRecordsWritten",
                    "javaRecordsWritten",
                    "numSerializeErrors",
                    "numDeserializeErrors",
                    "skippedRecords",
                    "unframedRecords",
                    "otherMessageRecords",
                    // Flink's, of the job
                    "numberOfCompletedCheckpoints");
    private static final Map<Metric, String> LIVE = new ConcurrentHashMap<>();
    private static final Map<String, AtomicLong> ENDED = new ConcurrentHashMap<>();

    /** The sum of all metrics of this name, alive and ended. */
    public static synchronized long total(String name) {
        long live =
                LIVE.entrySet().stream()
                        .filter(entry -> entry.getValue().equals(name))
                        .mapToLong(entry -> value(entry.getKey()))
                        .sum();
        return live + ENDED.getOrDefault(name, new AtomicLong()).get();
    }

    private static long value(Metric metric) {
        if (metric instanceof Counter) {
            return ((Counter) metric).getCount();
        }
        return ((Number) ((Gauge<?>) metric).getValue()).longValue();
    }

    private static boolean counts(String name) {
        return COUNTED.contains(name);
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (counts(name)) {
            LIVE.put(metric, name);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        synchronized (CountReporter.class) {
            if (LIVE.remove(metric) != null) {
                ENDED.computeIfAbsent(name, missing -> new AtomicLong()).addAndGet(value(metric));
            }
        }
    }
}
