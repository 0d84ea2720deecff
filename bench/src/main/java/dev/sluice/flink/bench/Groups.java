package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which results are shown: the known paths and payloads as issue and docs name them.
 */
final class Groups {
    private static final List<String> PATHS =
            List.of(
                    "decode",
                    "decode-cold",
                    "decode-polled",
                    "decode-downstream",
                    "encode",
                    "encode-generic",
                    "encode-generic-text",
                    "arrow",
                    "columnar-read",
                    "columnar-downstream",
                    "schema-first",
                    "job-pass",
                    "job-aggregate",
                    "kafka-task-1",
                    "kafka-task-500",
                    "kafka-task-5000",
                    "kafka-process-1",
                    "kafka-process-500",
                    "kafka-process-5000",
                    "kafka-wall-1",
                    "kafka-wall-500",
                    "kafka-wall-5000");
    static final List<String> PAYLOADS =
            List.of(
                    "flat",
                    "nested",
                    "wide",
                    "strings",
                    "proto2",
                    "oneof",
                    "evolution",
                    "ids-1000");

    private Groups() {}

    /** By path, payload and speed. */
    static List<Measurement> sorted(List<Measurement> rows) {
        List<Measurement> sorted = new ArrayList<>(rows);
        sorted.sort(
                Comparator.comparingInt((Measurement row) -> place(PATHS, row.path()))
                        .thenComparing(Measurement::path)
                        .thenComparingInt(row -> place(PAYLOADS, row.payload()))
                        .thenComparing(Measurement::payload)
                        .thenComparingDouble(Measurement::ns));
        return sorted;
    }

    private static int place(List<String> known, String name) {
        int at = known.indexOf(name);
        return at < 0 ? known.size() : at;
    }
}
