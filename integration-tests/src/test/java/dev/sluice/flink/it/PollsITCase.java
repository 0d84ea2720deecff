package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;

import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;
import java.util.stream.Collectors;

/** Whole polls in jobs that run for a while, fail, or share a topic. */
class PollsITCase {
    private final ProtoFile file =
            ProtoFile.of(
                    "order.proto",
                    "syntax = 'proto3'; package shop.v1; message Order { int64 id = 1;"
                            + " string note = 2; }");

    private Topic orders(String purpose, int partitions, int count) {
        Topic topic = Topic.create(purpose, partitions);
        file.register(topic.name() + "-value");
        List<ProducerRecord<byte[], byte[]>> records = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            byte[] value = file.record("Order", "id: " + id + " note: 'n'");
            records.add(new ProducerRecord<>(topic.name(), id % partitions, null, value));
        }
        topic.send(records);
        return topic;
    }

    private static void table(Sql sql, String name, String columns, Topic topic, int pollRecords) {
        table(sql, name, columns, topic.sourceWith(Topic.polls(pollRecords)), topic);
    }

    private static void table(Sql sql, String name, String columns, String source, Topic topic) {
        sql.run(
                String.format(
                        "CREATE TABLE %s (%s) WITH (%s, 'properties.group.id' = 'one',"
                                + " 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s')",
                        name, columns, source, Registry.shared().url(), topic.name()));
    }

    @Test
    void almostAllRecordsOfSixteenPartitionsOnFourSubtasksComeFromPolls() throws Exception {
        int count = 120_000;
        Topic topic = orders("steady", 16, count);
        Sql sql =
                new Sql()
                        .set("parallelism.default", "4")
                        .set("table.exec.resource.default-parallelism", "4")
                        .set("table.exec.mini-batch.enabled", "true")
                        .set("table.exec.mini-batch.allow-latency", "5 s")
                        .set("table.exec.mini-batch.size", "1000000");
        table(sql, "t", "id BIGINT, note STRING", topic, 50);
        long inAll = CountReporter.total("nativeRecords");
        long polled = CountReporter.total("polledRecords");

        List<String> changes =
                sql.rows("SELECT COUNT(*), COUNT(DISTINCT id), SUM(id), MAX(note) FROM t");
        assertThat(changes.get(changes.size() - 1))
                .endsWith(String.format("[%d, %d, %d, n]", count, count, count * (count + 1L) / 2));
        assertThat(CountReporter.total("nativeRecords") - inAll).isEqualTo(count);
        assertThat(CountReporter.total("polledRecords") - polled).isGreaterThan(count * 99L / 100);
    }

    @Test
    void theExampleOfTheDocsReadsOrders() throws Exception {
        Orders orders = Orders.create();
        orders.topic.send(orders.values());
        String page = Files.readString(Path.of(System.getProperty("docs"), "batches.md"));
        int from = page.indexOf("```sql") + "```sql".length();
        String bounded = "'earliest-offset', 'scan.bounded.mode' = 'latest-offset'";
        Sql sql = new Sql();
        sql.run(
                page.substring(from, page.indexOf(";", from))
                        .replace("localhost:9092", KafkaBroker.shared().bootstrapServers())
                        .replace("http://localhost:8081", Registry.shared().url())
                        .replace("'orders'", "'" + orders.topic.name() + "'")
                        .replace("dev.sluice.flink.kafka.RecordInterceptor", Topic.INTERCEPTOR)
                        .replace("'earliest-offset'", bounded));

        assertThat(sql.rows("SELECT id, customer.name FROM orders"))
                .containsExactly("+I[1, Ada]", "+I[2, Émilie]", "+I[3, null]");
    }

    @Test
    void twoTablesOfOneTopicAndGroupReadTheirOwnColumns() throws Exception {
        int count = 400;
        Topic topic = orders("shared", 2, count);
        Sql sql = new Sql();
        table(sql, "ids", "id BIGINT", topic, 7);
        table(sql, "notes", "note STRING, id BIGINT", topic, 5);
        List<String> rows = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            rows.add("+I[" + id + ", ids]");
            rows.add("+I[" + -id + ", n]");
        }

        assertThat(sql.rows("SELECT id, 'ids' FROM ids UNION ALL SELECT -id, note FROM notes"))
                .containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void planningNamesThePropertyThatATableLacksOnce() throws Exception {
        Topic topic = orders("hinted", 1, 1);
        Sql sql = new Sql();
        table(sql, "has_it", "id BIGINT", topic.sourceWith(Topic.polls(7)), topic);
        table(sql, "lacks_it", "id BIGINT", topic.sourceWith(""), topic);
        List<String> hints;
        try (LogLines log = LogLines.open()) {
            for (int run = 0; run < 2; run++) {
                sql.rows("SELECT id FROM has_it UNION ALL SELECT id FROM lacks_it");
            }
            hints =
                    log.all().stream()
                            .filter(line -> line.contains("lets the format see whole polls"))
                            .collect(Collectors.toList());
        }
        assertThat(hints).hasSize(1);
        assertThat(hints.get(0))
                .startsWith("INFO")
                .contains("lacks_it")
                .contains(Topic.INTERCEPTOR);
    }

    /** Fails once in the middle of a poll, behind a checkpoint in the middle of an earlier one. */
    private static final class Failure implements LongConsumer {
        private static final long HELD = 1_250;
        private static final long FAILS = 2_777;
        final Map<Long, Integer> seen = new ConcurrentHashMap<>();
        private long checkpointsBefore;
        private boolean failed;

        @Override
        public void accept(long id) {
            seen.merge(id, 1, Integer::sum);
            if (failed || id < HELD) {
                return;
            }
            long checkpoints = CountReporter.total("numberOfCompletedCheckpoints");
            if (id == HELD) {
                checkpointsBefore = checkpoints;
            }
            // One may have begun before; the second began here.
            if (checkpoints - checkpointsBefore < 2) {
                pause();
            }
            if (id == FAILS) {
                failed = true;
                throw new IllegalStateException("the failure that the test wants");
            }
        }

        private static void pause() {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Test
    void aJobThatIsRestoredInMidPollLosesAndRepeatsNothing() throws Exception {
        int count = 4_000;
        Topic topic = orders("restored", 1, count);
        Sql sql =
                new Sql()
                        .set("execution.checkpointing.interval", "50ms")
                        .set("restart-strategy.type", "fixed-delay")
                        .set("restart-strategy", "fixed-delay")
                        .set("restart-strategy.fixed-delay.attempts", "1")
                        .set("restart-strategy.fixed-delay.delay", "1ms");
        table(sql, "t", "id BIGINT, note STRING", topic, 500);
        Failure failure = new Failure();
        List<String> rows = new ArrayList<>();
        for (int id = 1; id <= count; id++) {
            rows.add("+I[" + id + ", n]");
        }
        long polled = CountReporter.total("polledRecords");

        assertThat(sql.rows("SELECT " + OnRow.call(sql, failure) + ", note FROM t"))
                .containsExactlyElementsOf(rows);
        assertThat(failure.seen).containsEntry(Failure.HELD, 1);
        assertThat(failure.seen).containsEntry(Failure.FAILS, 2);
        assertThat(CountReporter.total("polledRecords")).isGreaterThan(polled);
    }
}
