package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.util.UserCodeClassLoader;

/** Where a format is opened outside a job: no metrics, no class loader of a user. */
final class NoTask
        implements DeserializationSchema.InitializationContext,
                SerializationSchema.InitializationContext {
    @Override
    public MetricGroup getMetricGroup() {
        return null;
    }

    @Override
    public UserCodeClassLoader getUserCodeClassLoader() {
        return null;
    }
}
