package dev.sluice.flink.bench;

import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricConfig;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.reporter.MetricReporter;
import org.apache.flink.metrics.reporter.MetricReporterFactory;

import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** How many records of the jobs that run were decoded ahead, as the format's own metric says. */
public final class PolledShare implements MetricReporter {
    private static final Set<Gauge<?>> LIVE = ConcurrentHashMap.newKeySet();

    /** Found by the cluster through its services file. */
    public static final class Factory implements MetricReporterFactory {
        @Override
        public MetricReporter createMetricReporter(Properties properties) {
            return new PolledShare();
        }
    }

    static long records() {
        return LIVE.stream().mapToLong(each -> ((Number) each.getValue()).longValue()).sum();
    }

    @Override
    public void open(MetricConfig config) {}

    @Override
    public void close() {}

    @Override
    public void notifyOfAddedMetric(Metric metric, String name, MetricGroup group) {
        if (name.equals("polledRecords")) {
            LIVE.add((Gauge<?>) metric);
        }
    }

    @Override
    public void notifyOfRemovedMetric(Metric metric, String name, MetricGroup group) {
        LIVE.remove(metric);
    }
}
