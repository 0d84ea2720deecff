package dev.sluice.flink.bench;

import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.data.RowData;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Path {@code kafka}: SQL jobs that read a topic of a broker beside this JVM, from its begin to its
 * end, with and without the interceptor, and Flink's format over the same messages without frames.
 * Each is measured with polls of one record, of Kafka's default, and of ten times that, in three
 * ways, which are the paths of the results: {@code kafka-task-500} is CPU time of the task's
 * thread, {@code kafka-process-500} of the process without the broker, {@code kafka-wall-500} what
 * passes.
 */
final class KafkaJobs implements AutoCloseable {
    static final String PATH = "kafka-";

    /** Polls of one record take so much longer that fewer records have to do, in more rounds. */
    private static final int FEWER = 10;

    private static final int MORE_ROUNDS = 3;

    private static final double POLLED_SHARE_MIN = 0.99;
    private static final int SCHEMA_ID = 1;
    private static final String WITH_INTERCEPTOR = "native-batch";
    private static final String INTERCEPTOR = "dev.sluice.flink.kafka.RecordInterceptor";

    private final Payload payload;
    private final int poll;
    private final long records;
    private final KafkaBroker broker;
    private final SchemaServer registry;
    private final TableEnvironment tables;
    private final Agreement agreement;

    /** A table to read, and what becomes of its readings. */
    private record Contest(String contender, String query, List<Sample> samples) {}

    /** Of one job, per record. */
    private record Sample(double task, double process, double wall, double bytes) {}

    private KafkaJobs(int poll, Payload payload, Settings settings) throws Exception {
        this.payload = payload;
        this.poll = poll;
        records = poll == 1 ? settings.kafkaRecords() / FEWER : settings.kafkaRecords();
        broker = KafkaBroker.start();
        registry = new SchemaServer();
        registry.add(SCHEMA_ID, protoFile(payload.name()), Map.of("flat.proto", protoFile("flat")));
        tables = JobCluster.open(new MeteredTableFactory());
        agreement = new Readers(payload).agreement();
    }

    /**
     * @param path one of the three
     * @return the rounds' times by path of the results
     */
    static Map<String, List<Rounds.Times>> run(String path, Payload payload, Settings settings)
            throws Exception {
        int poll = Integer.parseInt(path.substring(PATH.length()));
        try (KafkaJobs jobs = new KafkaJobs(poll, payload, settings)) {
            jobs.fill();
            List<Contest> contests = jobs.contests();
            for (Contest each : contests) {
                jobs.verify(each);
            }
            int rounds = settings.jobRounds() * (poll == 1 ? MORE_ROUNDS : 1);
            for (int round = 0; round < rounds; round++) {
                for (int turn = 0; turn < contests.size(); turn++) {
                    jobs.measure(contests.get((turn + round) % contests.size()));
                }
            }
            return jobs.times(contests);
        }
    }

    private void fill() throws Exception {
        byte[][] bare = payload.records();
        byte[][] framed = new byte[bare.length][];
        for (int at = 0; at < bare.length; at++) {
            framed[at] = Topic.framed(SCHEMA_ID, bare[at]);
        }
        broker.fill("bare", bare, records);
        broker.fill("framed", framed, records);
    }

    private List<Contest> contests() {
        tables.executeSql(
                String.format(
                        "CREATE TABLE metered (%s) WITH ('connector' = 'metered', 'count' = '%d')",
                        JobCluster.columns(payload.row()), records));
        String flink =
                String.format(
                        "'format' = 'protobuf', 'protobuf.message-class-name' = '%s'",
                        payload.className());
        String ours =
                String.format(
                        "'format' = 'proto-confluent', 'proto-confluent.url' = '%s',"
                                + " 'proto-confluent.topic' = 'framed',"
                                + " 'proto-confluent.validate-at-planning' = 'false'",
                        registry.url());
        String polled = ours + ", 'properties.interceptor.classes' = '" + INTERCEPTOR + "'";
        return List.of(
                contest(Measurement.FLINK, "bare", flink),
                contest("native-binary", "framed", ours),
                contest(WITH_INTERCEPTOR, "framed", polled));
    }

    private Contest contest(String contender, String topic, String format) {
        String name = contender.replace('-', '_');
        tables.executeSql(
                String.format(
                        "CREATE TABLE %s (%s) WITH ('connector' = 'kafka', 'topic' = '%s',"
                                + " 'properties.bootstrap.servers' = '%s',"
                                + " 'properties.max.poll.records' = '%d',"
                                + " 'scan.startup.mode' = 'earliest-offset',"
                                + " 'scan.bounded.mode' = 'latest-offset', %s)",
                        name,
                        JobCluster.columns(payload.row()),
                        topic,
                        broker.address(),
                        poll,
                        format));
        return new Contest(
                contender, "INSERT INTO metered SELECT * FROM " + name, new ArrayList<>());
    }

    /** Warms up, too. */
    private void verify(Contest contest) throws Exception {
        Iterator<RowData> rows = run(contest).rows().iterator();
        agreement.require(
                contest.contender(),
                record -> rows.hasNext() ? rows.next() : null,
                Arrays.copyOf(payload.records(), MeteredTableFactory.ROWS_KEPT));
    }

    private void measure(Contest contest) throws Exception {
        MeteredTableFactory.Reading measured = run(contest).measured();
        double count = measured.records();
        contest.samples()
                .add(
                        new Sample(
                                measured.taskNanos() / count,
                                measured.processNanos() / count,
                                measured.wallNanos() / count,
                                measured.taskBytes() / count));
    }

    private MeteredTableFactory.Seen run(Contest contest) throws Exception {
        tables.executeSql(contest.query()).await();
        MeteredTableFactory.Seen seen = MeteredTableFactory.last();
        if (seen.records() != records) {
            throw new IllegalStateException(contest + " gave " + seen.records() + " rows");
        }
        double share = (double) seen.measured().polled() / seen.measured().records();
        boolean isPolled = poll > 1 && contest.contender().equals(WITH_INTERCEPTOR);
        if (isPolled ? share <= POLLED_SHARE_MIN : share > 0) {
            throw new IllegalStateException(contest + ": decoded ahead is a share of " + share);
        }
        return seen;
    }

    private Map<String, List<Rounds.Times>> times(List<Contest> contests) {
        Map<String, List<Rounds.Times>> times = new LinkedHashMap<>();
        for (Contest each : contests) {
            List<Sample> samples = each.samples();
            double bytes = samples.get(samples.size() - 1).bytes();
            add(times, "task", each, samples.stream().map(Sample::task), bytes);
            add(times, "process", each, samples.stream().map(Sample::process), 0);
            add(times, "wall", each, samples.stream().map(Sample::wall), 0);
        }
        return times;
    }

    private void add(
            Map<String, List<Rounds.Times>> times,
            String what,
            Contest contest,
            Stream<Double> rounds,
            double bytes) {
        times.computeIfAbsent(String.format("kafka-%s-%d", what, poll), path -> new ArrayList<>())
                .add(
                        Rounds.Times.of(
                                contest.contender(), rounds.collect(Collectors.toList()), bytes));
    }

    /** The schema as its author wrote it. */
    private static String protoFile(String name) throws IOException {
        try (InputStream in = KafkaJobs.class.getResourceAsStream("/proto/" + name + ".proto")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    @Override
    public void close() throws Exception {
        broker.close();
    }
}
