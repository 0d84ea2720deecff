package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.connector.source.SourceReaderContext;
import org.apache.flink.connector.datagen.source.GeneratorFunction;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.UserCodeClassLoader;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** In a task: the records of a payload over and over, through a format. */
final class DecodedRecords implements GeneratorFunction<Long, RowData> {
    private static final long serialVersionUID = 1L;
    private static final int RECORDS = 8 * Settings.BATCH;
    private static final Map<String, byte[][]> KNOWN = new ConcurrentHashMap<>();

    private final String payload;
    private final DeserializationSchema<RowData> schema;
    private transient byte[][] records;

    DecodedRecords(String payload, DeserializationSchema<RowData> schema) {
        this.payload = payload;
        this.schema = schema;
    }

    @Override
    public void open(SourceReaderContext reader) throws Exception {
        if (!KNOWN.containsKey(payload)) {
            KNOWN.put(payload, Payloads.of(payload, RECORDS).records());
        }
        records = KNOWN.get(payload);
        schema.open(
                new DeserializationSchema.InitializationContext() {
                    @Override
                    public MetricGroup getMetricGroup() {
                        return reader.metricGroup().addGroup("deserializer");
                    }

                    @Override
                    public UserCodeClassLoader getUserCodeClassLoader() {
                        return reader.getUserCodeClassLoader();
                    }
                });
    }

    @Override
    public RowData map(Long at) throws Exception {
        return schema.deserialize(records[(int) (at % RECORDS)]);
    }
}
