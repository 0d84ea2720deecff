package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A ratio that the project wants to reach: the contender's speed, that of a peer in the same run
 * being 1, for each of the payloads {@link #PAYLOADS}.
 *
 * @param wanted per payload; a payload without a goal is left out at the end
 */
record Goal(String what, String path, String contender, String peer, List<Double> wanted) {

    static final List<String> PAYLOADS = List.of("flat", "nested", "wide");

    static final List<Goal> ALL =
            List.of(
                    goal("binary rows", "decode", "native-binary", "flink", 3.5, 5.0, 3.3),
                    goal("binary rows", "decode", "native-binary", "dynamic", 18, 20, 10),
                    goal("binary rows", "decode", "native-binary", "java-table", 1.9, 1.8, 1.6),
                    goal("generic rows", "decode", "native-generic", "flink", 1.8, 3.5, 2.0),
                    goal("task", "decode-polled", "native-batch", "native-binary", 2.5, 2.5, 2.5),
                    goal("binary rows", "decode-downstream", "native-binary", "flink", 6.5, 9, 5),
                    goal("binary rows", "encode", "native-binary", "flink", 5.5, 9, 5.5),
                    goal(
                            "generic rows",
                            "encode-generic",
                            "native-generic",
                            "flink",
                            1.6,
                            1.6,
                            1.7),
                    goal("binary rows, floor", "decode", "native-binary", "jni-floor", 0.5),
                    goal("columns", "arrow", "native-arrow", "ptars-core", 4, 4, 4),
                    goal("pass-through", "job-pass", "native-binary", "flink", 3.5),
                    goal("aggregate", "job-aggregate", "native-binary", "flink", 2.5),
                    // At most 40 % of the task's time.
                    goal("task", "kafka-task-500", "native-batch", "native-binary", 2.5, 2.5));

    private static Goal goal(
            String what, String path, String contender, String peer, double... wanted) {
        List<Double> list = new ArrayList<>();
        for (double each : wanted) {
            list.add(each);
        }
        return new Goal(what, path, contender, peer, list);
    }

    /** The ratio in these results; empty where one of the two was not measured. */
    Optional<Double> reached(List<Measurement> rows, String payload) {
        Optional<Double> ours = nanos(rows, payload, contender);
        Optional<Double> theirs = nanos(rows, payload, peer);
        return ours.flatMap(own -> theirs.map(other -> other / own));
    }

    /** {@code 3.31 of 3.5, 4.20 of 5.0}. */
    String text(List<Measurement> rows) {
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < wanted.size(); i++) {
            String reached =
                    reached(rows, PAYLOADS.get(i))
                            .map(ratio -> String.format(Locale.ROOT, "%.2f", ratio))
                            .orElse("–");
            parts.add(String.format(Locale.ROOT, "%s of %.1f", reached, wanted.get(i)));
        }
        return String.join(", ", parts);
    }

    private Optional<Double> nanos(List<Measurement> rows, String payload, String name) {
        return rows.stream()
                .filter(row -> row.path().equals(path) && row.payload().equals(payload))
                .filter(row -> row.contender().equals(name))
                .map(Measurement::ns)
                .findFirst();
    }
}
