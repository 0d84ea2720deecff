package dev.sluice.flink.bench;

import com.sun.management.OperatingSystemMXBean;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
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
        tables = tables(start());
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
        for (int round = -1; round < settings.rounds(); round++) { // the first one warms up
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
                    "CREATE TABLE rows_out (" + columns() + ") WITH ('connector' = 'blackhole')");
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
                            columns(),
                            connector,
                            payload.name(),
                            size.equals("few") ? FEW : count,
                            format,
                            format,
                            payload.className()));
        }
        return name;
    }

    private String columns() {
        return payload.row().getFields().stream()
                .map(field -> "`" + field.getName() + "` " + field.getType().asSerializableString())
                .collect(Collectors.joining(", "));
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

    private static TableEnvironment tables(int port) {
        Configuration settings = new Configuration();
        settings.setString("execution.target", "remote");
        settings.setString("rest.address", "localhost");
        settings.setString("rest.port", Integer.toString(port));
        settings.setString("parallelism.default", "1");
        return TableEnvironment.create(
                EnvironmentSettings.newInstance()
                        .inStreamingMode()
                        .withConfiguration(settings)
                        .build());
    }

    private static int start() throws Exception {
        Configuration settings = new Configuration();
        settings.setString("rest.bind-address", "localhost");
        settings.setString("rest.bind-port", "0");
        settings.setString("taskmanager.memory.managed.size", "64m");
        settings.setString("taskmanager.memory.network.min", "32m");
        settings.setString("taskmanager.memory.network.max", "32m");
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(settings)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        cluster.start();
        return cluster.getRestAddress().get().getPort();
    }
}
