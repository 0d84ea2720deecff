package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Records that a real Confluent client wrote: the demo's writer, with its two releases of one
 * schema, into our broker and registry.
 */
class ConfluentClientITCase {
    private static final int COUNT = 200;

    @Test
    void readsWhatItWroteInTwoSchemaVersions(@TempDir Path folder) throws Exception {
        Topic topic = Topic.named("orders");
        produce("first", 1, folder);
        produce("second", COUNT + 1, folder);
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE orders (id BIGINT, customer ROW<name STRING>, labels"
                            + " MAP<STRING, STRING>, lines ARRAY<ROW<sku STRING, price ROW<cents"
                            + " BIGINT>>>, note STRING, channel STRING, placed_at TIMESTAMP_LTZ(3))"
                            + " WITH (%s, 'value.format' = 'proto-confluent',"
                            + " 'value.proto-confluent.url' = '%s', 'value.proto-confluent.topic' ="
                            + " 'orders')",
                        topic.source(), Registry.shared().url()));
        long before = CountReporter.total("nativeRecords");

        List<String> expected = new ArrayList<>();
        for (int id = 1; id <= 2 * COUNT; id++) {
            // Only the second release knows the channel. Labels are never empty, lines sometimes.
            expected.add(String.format("+I[%d, %s, true, true, true, true]", id, id > COUNT));
        }
        assertThat(
                        sql.rows(
                                "SELECT id, channel IS NOT NULL, customer.name <> '',"
                                        + " CARDINALITY(labels) > 0, lines IS NOT NULL,"
                                        + " placed_at >= TO_TIMESTAMP_LTZ(0, 3) FROM orders"))
                .containsExactlyElementsOf(expected);
        assertThat(CountReporter.total("nativeRecords") - before).isEqualTo(2 * COUNT);
        assertThat(
                        sql.rows(
                                "SELECT DISTINCT sku FROM orders CROSS JOIN UNNEST(lines)"
                                        + " AS line (sku, price) WHERE price.cents > 0 AND id < 5"))
                .contains("+I[tea]");
    }

    private static void produce(String release, int first, Path folder) throws Exception {
        Path classes = Files.createDirectory(folder.resolve(release));
        PythonClient.run(
                PythonClient.PYTHON.resolveSibling("protoc").toString(),
                "-I",
                PythonClient.DEMO.resolve("proto/shared").toString(),
                "-I",
                PythonClient.DEMO.resolve("proto/" + release).toString(),
                "--python_out=" + classes,
                "shop/v1/money.proto",
                "shop/v1/order.proto");
        PythonClient.run(
                PythonClient.PYTHON.toString(),
                PythonClient.DEMO.resolve("produce.py").toString(),
                "--broker",
                KafkaBroker.shared().bootstrapServers(),
                "--registry",
                Registry.shared().url(),
                "--classes",
                classes.toString(),
                "--from",
                Integer.toString(first),
                "--count",
                Integer.toString(COUNT));
    }
}
