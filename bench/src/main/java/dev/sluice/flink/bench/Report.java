package dev.sluice.flink.bench;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is made of {@code results.json} and {@code machine.json} in the same folder. */
final class Report {
    private final Path folder;
    private final List<Measurement> rows;
    private final Machine machine;

    private Report(Path folder) throws IOException {
        this.folder = folder;
        rows = ResultFile.read(folder.resolve("results.json"));
        machine = Machine.read(folder.resolve("machine.json"));
    }

    /** Writes {@code results.txt}, a plot for each path, and {@code index.html}. */
    static void write(Path folder) throws IOException, InterruptedException {
        Report report = new Report(folder);
        Files.writeString(folder.resolve("results.txt"), report.text());
        report.plot();
        Files.writeString(
                folder.resolve("index.html"), new Page(report.machine, report.rows).html());
    }

    private String text() {
        StringBuilder text = new StringBuilder(machine.text()).append("\n\n");
        text.append(TextTable.of(rows)).append("\ngoals: speed, the peer's being 1; ");
        text.append(String.join(", ", Goal.PAYLOADS)).append("\n");
        for (Goal goal : Goal.ALL) {
            text.append(
                    String.format(
                            "%-18s %-19s vs %-11s %s%n",
                            goal.path(), goal.what(), goal.peer(), goal.text(rows)));
        }
        return text.toString();
    }

    /** Plots are left out, with a word, where there is no Python to draw them. */
    private void plot() throws IOException, InterruptedException {
        deletePlots(folder);
        Path python = Path.of("bench", "build", "python", "bin", "python");
        if (!Files.exists(python)) {
            System.err.println("bench: no plots, as bench/build/python is missing");
            return;
        }
        List<String> line = new ArrayList<>(List.of(python.toString()));
        line.add(Path.of("bench", "src", "main", "python", "plots.py").toString());
        line.addAll(List.of(folder.resolve("results.json").toString(), folder.toString()));
        int exit = new ProcessBuilder(line).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IOException("the plots ended with " + exit);
        }
    }

    /** Those of another run have no place beside these results. */
    static void deletePlots(Path folder) throws IOException {
        try (DirectoryStream<Path> plots = Files.newDirectoryStream(folder, "*.svg")) {
            for (Path plot : plots) {
                Files.delete(plot);
            }
        }
    }
}
