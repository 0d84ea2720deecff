package dev.sluice.flink.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/**
 * What {@code ./dev bench} was asked for.
 *
 * @param mode how long is measured
 * @param merged files of other benches whose rows are added
 * @param isKept whether {@code docs/performance} gets the results
 */
record Command(String mode, Settings settings, List<Run> runs, List<Path> merged, boolean isKept) {

    /** One {@link Fork}. */
    record Run(String payload, String path) {}

    private static final List<Run> QUICK = quick();
    private static final List<Run> FULL = full();

    /**
     * @throws IllegalArgumentException for what it does not know
     */
    static Command parse(List<String> arguments) {
        String mode = "quick";
        Settings settings = Settings.QUICK;
        List<Path> merged = new ArrayList<>();
        boolean isKept = false;
        List<String> payloads = List.of();
        List<String> paths = List.of();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            switch (argument) {
                case "--full":
                    mode = "full";
                    settings = Settings.FULL;
                    break;
                case "--smoke":
                    mode = "smoke";
                    settings = new Settings(3, 200, 10, 2 * Settings.BATCH);
                    break;
                case "--merge":
                    merged.add(Path.of(rest.next()));
                    break;
                case "--record":
                    isKept = true;
                    break;
                case "--payload":
                    payloads = names(rest);
                    break;
                case "--path":
                    paths = names(rest);
                    break;
                default:
                    throw new IllegalArgumentException("what is " + argument + "?");
            }
        }
        List<Run> all =
                payloads.isEmpty() && paths.isEmpty() && !mode.equals("full") ? QUICK : FULL;
        boolean isOnlyReported = (isKept || !merged.isEmpty()) && mode.equals("quick");
        List<Run> runs = new ArrayList<>(isOnlyReported ? List.of() : all);
        List<String> wantedPayloads = payloads;
        List<String> wantedPaths = paths;
        runs.removeIf(
                run ->
                        !wantedPayloads.isEmpty() && !wantedPayloads.contains(run.payload())
                                || !wantedPaths.isEmpty() && !wantedPaths.contains(run.path()));
        return new Command(mode, settings, runs, merged, isKept);
    }

    private static List<String> names(Iterator<String> rest) {
        return Arrays.asList(rest.next().split(","));
    }

    private static List<Run> quick() {
        List<Run> runs = new ArrayList<>();
        String[] three = {"flat", "nested", "wide"};
        add(runs, "decode", three);
        add(runs, "encode", three);
        add(runs, "decode-downstream", three);
        add(runs, "decode", "strings", "proto2", "oneof");
        add(runs, "encode-generic", three);
        return runs;
    }

    private static List<Run> full() {
        List<Run> runs = quick();
        add(runs, "encode-generic-text", "flat", "nested", "wide");
        add(runs, "encode", "strings", "proto2", "oneof");
        add(runs, "decode-downstream", "strings", "proto2", "oneof");
        add(runs, "decode-cold", "flat", "nested", "wide");
        add(runs, "job-pass", "flat");
        add(runs, "job-aggregate", "flat");
        return runs;
    }

    private static void add(List<Run> runs, String path, String... payloads) {
        for (String payload : payloads) {
            runs.add(new Run(payload, path));
        }
    }
}
