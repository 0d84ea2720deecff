package dev.sluice.flink.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** {@code ./dev bench}: starts a {@link Fork} for each payload and path, and reports. */
public final class Benchmark {
    /** About a million: no cache holds them. */
    private static final int COLD_RECORDS = 976 * Settings.BATCH;

    private Benchmark() {}

    public static void main(String[] arguments) throws Exception {
        Command command = Command.parse(List.of(arguments));
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
        List<Measurement> rows = new ArrayList<>();
        for (Command.Run run : command.runs()) {
            Path part = folder.resolve("parts/" + run.payload() + "-" + run.path() + ".json");
            boolean isCold = run.path().endsWith("-cold");
            Settings settings = command.settings();
            fork(run, part, isCold ? settings.withRecords(COLD_RECORDS) : settings);
            List<Measurement> measured = ResultFile.read(part);
            System.out.println(TextTable.of(measured));
            rows = ResultFile.merge(rows, measured);
        }
        machine.write(folder.resolve("machine.json"));
        ResultFile.write(folder.resolve("results.json"), rows);
    }

    private static void fork(Command.Run run, Path part, Settings settings)
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
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        line.addAll(List.of(Fork.class.getName(), run.payload(), run.path(), part.toString()));
        line.addAll(settings.toArguments());
        int exit = new ProcessBuilder(line).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(run + " ended with " + exit);
        }
    }
}
