package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Tables of every shape that the Kafka connector has, over one topic of orders. */
class ReadOrdersITCase {
    private static Orders orders;

    @BeforeAll
    static void fillTheTopic() {
        orders = Orders.create();
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (byte[] value : orders.values()) {
            long id = records.size() + 1;
            ProducerRecord<byte[], byte[]> record =
                    new ProducerRecord<>(
                            orders.topic.name(), 1, 1_700_000_000_000L + id, orders.key(id), value);
            record.headers().add("trace", new byte[] {'t', (byte) ('0' + id)});
            records.add(record);
        }
        orders.topic.send(records);
    }

    private static Sql table(String columns, String... options) {
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE orders (%s) WITH (%s, %s)",
                        columns, orders.topic.source(), String.join(", ", options)));
        return sql;
    }

    @Test
    void readsBothSchemaVersionsByValueFormatAlone() throws Exception {
        Sql sql = table(Orders.COLUMNS, orders.format("value."));

        assertThat(sql.rows("SELECT * FROM orders")).containsExactly(Orders.ROWS);
    }

    @Test
    void readsByFormatWithoutARolePrefix() throws Exception {
        Sql sql = table(Orders.COLUMNS, orders.format(""));

        assertThat(sql.rows("SELECT * FROM orders")).containsExactly(Orders.ROWS);
    }

    @Test
    void everyRecordIsDecodedByNativeCode() throws Exception {
        Sql sql = table(Orders.COLUMNS, orders.format("value."));
        long before = CountReporter.total("nativeRecords");

        assertThat(sql.rows("SELECT * FROM orders")).hasSize(Orders.COUNT);
        assertThat(CountReporter.total("nativeRecords") - before).isEqualTo(Orders.COUNT);
    }

    @Test
    void readsBothSchemaVersionsInJavaWhereTheTableAsksForIt() throws Exception {
        Sql sql =
                table(
                        Orders.COLUMNS,
                        orders.format("value."),
                        "'value.proto-confluent.engine' = 'java'");
        long inJava = CountReporter.total("javaRecords");
        long inNativeCode = CountReporter.total("nativeRecords");

        assertThat(sql.rows("SELECT * FROM orders")).containsExactly(Orders.ROWS);
        assertThat(CountReporter.total("javaRecords") - inJava).isEqualTo(Orders.COUNT);
        assertThat(CountReporter.total("nativeRecords")).isEqualTo(inNativeCode);
    }

    @Test
    void aColumnThatTheOlderVersionLacksIsNullWithOneWarning() throws Exception {
        // A column set of its own: the warning is said once per schema and column in a process.
        Sql sql = table("channel STRING, id BIGINT, colour STRING", orders.format("value."));
        List<String> rows;
        List<String> warnings;
        try (LogLines log = LogLines.open()) {
            rows = sql.rows("SELECT id, colour, channel FROM orders");
            warnings =
                    log.all().stream()
                            .filter(
                                    line ->
                                            line.startsWith("WARN")
                                                    && line.contains("colour is NULL in"))
                            .collect(Collectors.toList());
        }

        assertThat(rows)
                .containsExactly("+I[1, null, null]", "+I[2, null, null]", "+I[3, null, app]");
        assertThat(warnings).hasSize(2);
        assertThat(warnings)
                .anyMatch(line -> line.contains("schema id " + orders.first.id()))
                .anyMatch(line -> line.contains("schema id " + orders.second.id()));
    }

    @Test
    void readsKeyAndValueByTheFormat() throws Exception {
        Sql sql =
                table(
                        "k_id BIGINT, id BIGINT, status STRING",
                        orders.format("key."),
                        "'key.proto-confluent.is_key' = 'true'",
                        "'key.fields' = 'k_id', 'key.fields-prefix' = 'k_'",
                        "'value.fields-include' = 'EXCEPT_KEY'",
                        orders.format("value."));

        assertThat(sql.rows("SELECT * FROM orders"))
                .containsExactly("+I[1, 1, PLACED]", "+I[2, 2, UNKNOWN]", "+I[3, 3, SHIPPED]");
    }

    @Test
    void readsMetadataAndAWatermarkOnATimestamp() throws Exception {
        Sql sql =
                table(
                        "`partition` INT METADATA VIRTUAL, id BIGINT, `offset` BIGINT METADATA,"
                            + " placed_at TIMESTAMP_LTZ(3), headers MAP<STRING, BYTES> METADATA,"
                            + " sent TIMESTAMP_LTZ(3) METADATA FROM 'timestamp', customer ROW<name"
                            + " STRING>, WATERMARK FOR placed_at AS placed_at - INTERVAL '5'"
                            + " SECOND",
                        orders.format("value."));

        assertThat(
                        sql.rows(
                                "SELECT id, `partition`, `offset`, CAST(headers['trace'] AS"
                                        + " STRING), sent, customer FROM orders"))
                .containsExactly(
                        "+I[1, 1, 0, t1, 2023-11-14T22:13:20.001Z, +I[Ada]]",
                        "+I[2, 1, 1, t2, 2023-11-14T22:13:20.002Z, +I[Émilie]]",
                        "+I[3, 1, 2, t3, 2023-11-14T22:13:20.003Z, null]");
        assertThat(
                        sql.rows(
                                "SELECT window_start, COUNT(*) FROM TABLE(TUMBLE(TABLE orders,"
                                        + " DESCRIPTOR(placed_at), INTERVAL '1' HOUR))"
                                        + " WHERE placed_at IS NOT NULL"
                                        + " GROUP BY window_start, window_end"))
                .contains("+I[2026-01-01T00:00, 1]");
    }

    @Test
    void readsASubsetOfTheColumnsInAnotherOrder() throws Exception {
        Sql sql = table("total ROW<cents BIGINT>, note STRING, id BIGINT", orders.format("value."));

        assertThat(sql.rows("SELECT * FROM orders"))
                .containsExactly(
                        "+I[+I[900], null, 1]", "+I[null, , 2]", "+I[null, ring twice, 3]");
    }

    @Test
    void projectsAFieldOfARow() throws Exception {
        Sql sql = table(Orders.COLUMNS, orders.format("value."));

        assertThat(sql.rows("SELECT orders.customer.country, id FROM orders"))
                .containsExactly("+I[GB, 1]", "+I[, 2]", "+I[null, 3]");
    }

    @Test
    void aggregatesOverUnnestedLines() throws Exception {
        Sql sql = table(Orders.COLUMNS, orders.format("value."));

        assertThat(
                        sql.rows(
                                "SELECT line.sku, line.quantity * line.price.cents FROM orders"
                                    + " CROSS JOIN UNNEST(lines) AS line (sku, quantity, price)"))
                .containsExactly("+I[tea, 900]", "+I[cup, null]");
    }
}
