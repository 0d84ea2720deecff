package dev.sluice.flink.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What {@code ./dev bench} was asked for.
 *
 * @param mode how long is measured
 * @param merged files of other benches whose rows are added
 * @param isKept whether {@code docs/performance} gets the results
 * @param given a message and records of the user's, measured alone; null if there are none
 */
record Command(
        String mode,
        Settings settings,
        List<Run> runs,
        List<Path> merged,
        boolean isKept,
        Given given) {

    /** {@code --proto}, {@code --message}, {@code --records} and {@code --columns}. */
    record Given(Path proto, String message, Path records, String columns) {
        String name() {
            return GivenPayload.name(message);
        }
    }

    /** One {@link Fork}. */
    record Run(String payload, String path) {}

    private static final Set<String> FLAGS = Set.of("--full", "--smoke", "--record");
    private static final Set<String> VALUES =
            Set.of(
                    "--payload",
                    "--path",
                    "--merge",
                    "--proto",
                    "--message",
                    "--records",
                    "--columns");
    private static final List<String> GIVEN_PATHS =
            List.of("decode", "decode-downstream", "encode", "encode-generic");
    private static final List<Run> QUICK = quick();
    private static final List<Run> FULL = full();

    /**
     * @throws IllegalArgumentException for what it does not know
     */
    static Command parse(List<String> arguments) {
        Map<String, String> values = new HashMap<>();
        List<Path> merged = new ArrayList<>();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            if (FLAGS.contains(argument)) {
                values.put(argument, "");
            } else if (!VALUES.contains(argument) || !rest.hasNext()) {
                throw new IllegalArgumentException("what is " + argument + "?");
            } else if (argument.equals("--merge")) {
                merged.add(Path.of(rest.next()));
            } else {
                values.put(argument, rest.next());
            }
        }
        String mode =
                values.containsKey("--full")
                        ? "full"
                        : values.containsKey("--smoke") ? "smoke" : "quick";
        Settings settings =
                Map.of("full", Settings.FULL, "smoke", Settings.SMOKE, "quick", Settings.QUICK)
                        .get(mode);
        boolean isKept = values.containsKey("--record");
        boolean isOnlyReported = (isKept || !merged.isEmpty()) && mode.equals("quick");
        Given given = given(values);
        List<Run> runs = isOnlyReported ? List.of() : runs(values, mode, given);
        return new Command(mode, settings, runs, merged, isKept, given);
    }

    private static Given given(Map<String, String> values) {
        if (!values.containsKey("--proto")) {
            return null;
        }
        for (String needed : List.of("--message", "--records")) {
            if (!values.containsKey(needed)) {
                throw new IllegalArgumentException("--proto wants " + needed);
            }
        }
        return new Given(
                Path.of(values.get("--proto")),
                values.get("--message"),
                Path.of(values.get("--records")),
                values.getOrDefault("--columns", ""));
    }

    private static List<Run> runs(Map<String, String> values, String mode, Given given) {
        List<Run> runs = new ArrayList<>();
        boolean isSelected = values.containsKey("--payload") || values.containsKey("--path");
        if (given != null) {
            for (String path : GIVEN_PATHS) {
                add(runs, path, given.name());
            }
        } else {
            runs.addAll(isSelected || mode.equals("full") ? FULL : QUICK);
        }
        runs.removeIf(
                run ->
                        !isSelected(values.get("--payload"), run.payload())
                                || !isSelected(values.get("--path"), run.path()));
        if (runs.isEmpty()) {
            throw new IllegalArgumentException("no payload and path of these names");
        }
        return runs;
    }

    private static boolean isSelected(String names, String name) {
        return names == null || Arrays.asList(names.split(",")).contains(name);
    }

    private static List<Run> quick() {
        List<Run> runs = new ArrayList<>();
        String[] three = {"flat", "nested", "wide"};
        add(runs, "decode", three);
        add(runs, "encode", three);
        add(runs, "decode-downstream", three);
        add(runs, "decode", "strings", "proto2", "oneof", "evolution");
        add(runs, "decode-polled", three);
        add(runs, "encode-generic", three);
        return runs;
    }

    private static List<Run> full() {
        List<Run> runs = quick();
        add(runs, "decode", "ids-1000");
        add(runs, "schema-first", "fields-20", "fields-2000");
        add(runs, "encode-generic-text", "flat", "nested", "wide");
        add(runs, "encode", "strings", "proto2", "oneof");
        add(runs, "decode-downstream", "strings", "proto2", "oneof");
        add(runs, "decode-cold", "flat", "nested", "wide");
        add(runs, "arrow", "flat", "nested", "wide");
        add(runs, "columnar-read", "flat", "nested", "wide");
        add(runs, "columnar-downstream", "flat", "nested", "wide");
        add(runs, "job-pass", "flat");
        add(runs, "job-aggregate", "flat");
        for (String path : List.of("kafka-1", "kafka-500", "kafka-5000")) {
            add(runs, path, "flat", "nested");
        }
        return runs;
    }

    private static void add(List<Run> runs, String path, String... payloads) {
        for (String payload : payloads) {
            runs.add(new Run(payload, path));
        }
    }
}
