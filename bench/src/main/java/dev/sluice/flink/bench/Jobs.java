package dev.sluice.flink.bench;

import com.sun.management.OperatingSystemMXBean;

import org.apache.flink.table.api.TableEnvironment;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Paths {@code job-pass} and {@code job-aggregate}: whole SQL jobs on a cluster in this JVM.
 * Measured is the CPU time of the process, collector and all, less that of the same job over a
 * handful of records; what was allocated is not known and told as 0.
 */
final class Jobs {
    private static final long FEW = 1000;
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final Payload payload;
    private final long count;
    private final TableEnvironment tables;

    private Jobs(Payload payload, long count) throws Exception {
        this.payload = payload;
        this.count = count;
        tables = JobCluster.open(new RecordsTableFactory());
    }

    /**
     * @param path one of the two
     */
    static List<Rounds.Times> run(String path, Payload payload, Settings settings)
            throws Exception {
        Jobs jobs = new Jobs(payload, settings.jobRecords());
        Map<String, String> formats = new LinkedHashMap<>();
        formats.put(Measurement.FLINK, jobs.table("kafka", "protobuf"));
        formats.put("native-generic", jobs.table("records", "protobuf-native"));
        formats.put("native-binary", jobs.table("kafka", "protobuf-native"));
        String query = jobs.query(path);
        Map<String, List<Double>> nanos = new LinkedHashMap<>();
        for (int round = -1; round < settings.jobRounds(); round++) { // the first one warms up
            for (Map.Entry<String, String> each : formats.entrySet()) {
                double measured = jobs.nanosPerRecord(query, each.getValue());
                if (round >= 0) {
                    nanos.computeIfAbsent(each.getKey(), name -> new ArrayList<>()).add(measured);
                }
            }
        }
        return nanos.entrySet().stream()
                .map(each -> Rounds.Times.of(each.getKey(), each.getValue(), 0))
                .collect(Collectors.toList());
    }

    private String query(String path) {
        if (path.equals("job-pass")) {
            tables.executeSql(
                    String.format(
                            "CREATE TABLE rows_out (%s) WITH ('connector' = 'blackhole')",
                            JobCluster.columns(payload.row())));
            return "INSERT INTO rows_out SELECT * FROM %s";
        }
        tables.executeSql(
                "CREATE TABLE sums (c BIGINT, s BIGINT) WITH ('connector' = 'blackhole')");
        return "INSERT INTO sums SELECT COUNT(*), SUM(l1) FROM %s WHERE s2 <> 'x'";
    }

    /** Two tables, of few and of many records; the name of the second. */
    private String table(String connector, String format) {
        String name = (connector + "_" + format).replace('-', '_');
        for (String size : List.of("few", "many")) {
            tables.executeSql(
                    String.format(
                            "CREATE TABLE %s_%s (%s) WITH ('connector' = '%s', 'payload' = '%s',"
                                    + " 'count' = '%d', 'format' = '%s',"
                                    + " '%s.message-class-name' = '%s')",
                            name,
                            size,
                            JobCluster.columns(payload.row()),
                            connector,
                            payload.name(),
                            size.equals("few") ? FEW : count,
                            format,
                            format,
                            payload.className()));
        }
        return name;
    }

    private double nanosPerRecord(String query, String table) throws Exception {
        long few = nanos(query, table + "_few");
        return (double) (nanos(query, table + "_many") - few) / (count - FEW);
    }

    private long nanos(String query, String table) throws Exception {
        long before = PROCESS.getProcessCpuTime();
        tables.executeSql(String.format(query, table)).await();
        return PROCESS.getProcessCpuTime() - before;
    }
}
