package dev.sluice.flink.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** {@code ./dev bench}: starts a {@link Fork} for each payload and path, and reports. */
public final class Benchmark {
    /** About a million: no cache holds them. */
    private static final int COLD_RECORDS = 976 * Settings.BATCH;

    private Benchmark() {}

    public static void main(String[] arguments) throws Exception {
        Command command;
        try {
            command = Command.parse(List.of(arguments));
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
            return;
        }
        Path folder = Path.of("build", "bench");
        if (!command.runs().isEmpty()) {
            measure(command, folder);
        }
        Path results = folder.resolve("results.json");
        for (Path file : command.merged()) {
            ResultFile.write(
                    results, ResultFile.merge(ResultFile.read(results), ResultFile.read(file)));
        }
        Report.write(folder);
        if (command.isKept()) {
            Ledger.record(folder, Path.of("docs"));
        }
        System.out.println(folder.resolve("results.json"));
        System.out.println(folder.resolve("index.html"));
    }

    private static void measure(Command command, Path folder) throws Exception {
        Machine machine = Machine.here(command.mode()); // the load is that before the run
        machine.write(folder.resolve("machine.json"));
        List<Measurement> rows = new ArrayList<>();
        Path given = folder.resolve("given");
        if (command.given() != null) {
            compile(command.given(), given);
        }
        for (Command.Run run : command.runs()) {
            Path part = folder.resolve("parts/" + run.payload() + "-" + run.path() + ".json");
            boolean isCold = run.path().endsWith("-cold");
            Settings settings = command.settings();
            fork(run, part, given, isCold ? settings.withRecords(COLD_RECORDS) : settings);
            List<Measurement> measured = ResultFile.read(part);
            System.out.println(TextTable.of(measured));
            rows = ResultFile.merge(rows, measured);
            // Each time, so that a run that is stopped leaves what it has measured.
            ResultFile.write(folder.resolve("results.json"), rows);
        }
    }

    private static void compile(Command.Given given, Path folder) throws Exception {
        if (Files.exists(folder)) {
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
        Files.createDirectories(folder);
        String className = new MessageCompiler(folder).compile(given.proto(), given.message());
        new GivenPayload(className, given.records(), given.columns())
                .write(folder.resolve("payload.properties"));
    }

    private static void fork(Command.Run run, Path part, Path given, Settings settings)
            throws IOException, InterruptedException {
        Files.deleteIfExists(part);
        List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        // Small and touched before: memory that comes from the system while it is measured would
        // be charged to whoever allocates most.
        line.addAll(List.of("-Xms1g", "-Xmx1g", "-Xmn192m", "-XX:+AlwaysPreTouch", "-XX:+UseG1GC"));
        line.add("-XX:CompileCommand=quiet");
        line.add("-XX:CompileCommand=dontinline," + Sink.class.getName() + "::accept");
        for (String opened : List.of("java.lang", "java.util", "java.nio", "java.time")) {
            line.add("--add-opens=java.base/" + opened + "=ALL-UNNAMED");
        }
        String classes = new MessageCompiler(given).classes() + File.pathSeparator;
        line.addAll(List.of("-cp", classes + System.getProperty("java.class.path")));
        boolean isKnown = Payloads.isKnown(run.payload());
        String file = GivenPayload.PREFIX + given.resolve("payload.properties");
        line.addAll(List.of(Fork.class.getName(), isKnown ? run.payload() : file));
        line.addAll(List.of(run.path(), part.toString()));
        line.addAll(settings.toArguments());
        int exit = new ProcessBuilder(line).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(run + " ended with " + exit);
        }
    }
}
