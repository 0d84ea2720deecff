package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;

/** What {@code ./dev bench} was asked for. */
record Command(Settings settings, List<Run> runs) {

    /** One {@link Fork}. */
    record Run(String payload, String path) {}

    private static final List<Run> QUICK = quick();

    /**
     * @throws IllegalArgumentException for what it does not know
     */
    static Command parse(List<String> arguments) {
        Settings settings = Settings.QUICK;
        List<String> payloads = List.of();
        List<String> paths = List.of();
        Iterator<String> rest = arguments.iterator();
        while (rest.hasNext()) {
            String argument = rest.next();
            switch (argument) {
                case "--full":
                    settings = Settings.FULL;
                    break;
                case "--smoke":
                    settings = new Settings(3, 200, 10, 2 * Settings.BATCH);
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
        List<Run> runs = new ArrayList<>(QUICK);
        List<String> wantedPayloads = payloads;
        List<String> wantedPaths = paths;
        runs.removeIf(
                run ->
                        !wantedPayloads.isEmpty() && !wantedPayloads.contains(run.payload())
                                || !wantedPaths.isEmpty() && !wantedPaths.contains(run.path()));
        return new Command(settings, runs);
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

    private static void add(List<Run> runs, String path, String... payloads) {
        for (String payload : payloads) {
            runs.add(new Run(payload, path));
        }
    }
}
