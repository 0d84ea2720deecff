package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.Owned;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.kafka.PolledDecoder;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.Metric;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;

class DecodeMetricsTest {
    /** Remembers what is registered, in groups of any depth. */
    private static final class Group extends UnregisteredMetricsGroup {
        private final String prefix;
        private final Map<String, Metric> metrics;

        Group(String prefix, Map<String, Metric> metrics) {
            this.prefix = prefix;
            this.metrics = metrics;
        }

        @Override
        public <C extends Counter> C counter(String name, C counter) {
            metrics.put(prefix + name, counter);
            return counter;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            metrics.put(prefix + name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup addGroup(String key, String value) {
            return new Group(prefix + key + "." + value + ".", metrics);
        }
    }

    private static final class Counted implements RecordDecoder {
        private final boolean isNative;
        private final Map<String, Long> records;

        Counted(boolean isNative, Map<String, Long> records) {
            this.isNative = isNative;
            this.records = records;
        }

        @Override
        public byte[] decode(byte[] record) {
            throw new AssertionError();
        }

        @Override
        public long records() {
            return records.values().stream().mapToLong(Long::longValue).sum();
        }

        @Override
        public Map<String, Long> recordsByMessage() {
            return records;
        }

        @Override
        public int messagesMet() {
            return records.size();
        }

        @Override
        public boolean isNative() {
            return isNative;
        }

        @Override
        public void close() {}
    }

    private static PolledDecoder counted(boolean isNative, Map<String, Long> records) {
        return new PolledDecoder(new Counted(isNative, records), null, true, 0, new Owned());
    }

    private static WriterSchemaProvider.Open schemas(long fetches, long nanos) {
        return new WriterSchemaProvider.Open() {
            @Override
            public dev.sluice.flink.engine.WriterMessage resolve(
                    dev.sluice.flink.schema.SchemaKey key, int[] indexes) {
                throw new AssertionError();
            }

            @Override
            public long fetches() {
                return fetches;
            }

            @Override
            public long fetchNanos() {
                return nanos;
            }
        };
    }

    private static Map<String, Object> values(Map<String, Metric> metrics) {
        Map<String, Object> values = new TreeMap<>();
        metrics.forEach(
                (name, metric) ->
                        values.put(
                                name,
                                metric instanceof Counter
                                        ? ((Counter) metric).getCount()
                                        : ((Gauge<?>) metric).getValue()));
        return values;
    }

    @Test
    void keyAndValueShareOneGroup() {
        Map<String, Metric> metrics = new TreeMap<>();
        Group group = new Group("", metrics);
        DecodeMetrics one = DecodeMetrics.of(group);
        assertThat(DecodeMetrics.of(group)).isSameAs(one);
        one.add(counted(true, Map.of("shop.Order", 5L)), schemas(2, 6_000_000), null);
        one.add(
                counted(false, Map.of("shop.Order", 3L, "shop.Key", 1L)),
                schemas(3, 34_000_000),
                null);
        one.addMessages();
        one.countRecord(new byte[] {8, 1}, true);
        one.countRecord(new byte[] {8, 1}, false);
        one.countRecord(new byte[] {0, 1, 2}, true);
        one.countRefused();
        one.countRefused();
        one.countSkipped();
        one.countOtherMessage();
        Map<String, Object> expected = new TreeMap<>();
        expected.put("nativeRecords", 5L);
        expected.put("javaRecords", 4L);
        expected.put("polledRecords", 0L);
        expected.put("polledBytesWaiting", 0L);
        expected.put("numDeserializeErrors", 2L);
        expected.put("skippedRecords", 1L);
        expected.put("otherMessageRecords", 1L);
        expected.put("unframedRecords", 1L);
        expected.put("bytesIn", 7L);
        expected.put("deadLettersSent", 0L);
        expected.put("deadLettersFailed", 0L);
        expected.put("schemaFetches", 5L);
        expected.put("schemaFetchMillis", 8L);
        expected.put("message.shop.Order.records", 8L);
        expected.put("message.shop.Key.records", 1L);
        assertThat(values(metrics)).containsExactlyInAnyOrderEntriesOf(expected);
    }

    @Test
    void thePageListsThem() throws Exception {
        Map<String, Metric> metrics = new TreeMap<>();
        DecodeMetrics all = DecodeMetrics.of(new Group("", metrics));
        all.add(counted(true, Map.of("<full name>", 1L)), schemas(3, 34_000_000), null);
        all.addMessages();
        EncodeMetrics.of(new Group("", metrics));
        String page = Files.readString(Path.of(System.getProperty("sluice.docs"), "metrics.md"));
        assertThat(
                        page.lines()
                                .filter(line -> line.startsWith("| `"))
                                .map(line -> line.substring(3, line.indexOf('`', 3))))
                .containsExactlyInAnyOrderElementsOf(metrics.keySet());
    }
}
