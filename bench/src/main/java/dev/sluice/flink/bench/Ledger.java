package dev.sluice.flink.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * {@code ./dev bench --record}: keeps a run. Results, machine and plots go to {@code
 * docs/performance}, and the section of {@code docs/performance.md} between two marks is written
 * anew; what people wrote around it stays.
 */
final class Ledger {
    private static final String BEGIN = "<!-- ./dev bench --record writes from here -->\n";
    private static final String END = "<!-- to here -->\n";

    private final Machine machine;
    private final List<Measurement> rows;

    Ledger(Machine machine, List<Measurement> rows) {
        this.machine = machine;
        this.rows = Groups.sorted(rows);
    }

    /**
     * @param from where a run has left its files
     * @param docs the folder of the pages
     */
    static void record(Path from, Path docs) throws IOException {
        Ledger ledger =
                new Ledger(
                        Machine.read(from.resolve("machine.json")),
                        ResultFile.read(from.resolve("results.json")));
        Path kept = docs.resolve("performance");
        Files.createDirectories(kept);
        Report.deletePlots(kept);
        try (Stream<Path> files = Files.list(from)) {
            files.filter(file -> file.toString().matches(".*\\.(json|svg)"))
                    .forEach(file -> copy(file, kept.resolve(file.getFileName())));
        }
        Path page = docs.resolve("performance.md");
        Files.writeString(page, ledger.into(Files.readString(page)));
    }

    private static void copy(Path file, Path to) {
        try {
            Files.copy(file, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * The page with this section instead of the one that it has.
     *
     * @throws IllegalArgumentException if the page has no marks
     */
    String into(String page) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END, Math.max(begin, 0));
        if (begin < 0 || end < 0) {
            throw new IllegalArgumentException("the page has no marks for the section");
        }
        return page.substring(0, begin) + BEGIN + section() + page.substring(end);
    }

    private String section() {
        StringBuilder text = new StringBuilder("\n");
        machine.facts()
                .forEach(
                        (name, fact) ->
                                text.append("- ")
                                        .append(name)
                                        .append(": ")
                                        .append(fact)
                                        .append("\n"));
        text.append("\n| goal | speed of | that of … being 1 | ")
                .append("flat | nested | wide |\n");
        text.append("|---|---|---|---|---|---|\n");
        for (Goal goal : Goal.ALL) {
            text.append(String.format("| %s, %s ", goal.path(), goal.what()));
            text.append(String.format("| `%s` | `%s` |", goal.contender(), goal.peer()));
            String[] cells = goal.text(rows).split(", ");
            for (int i = 0; i < Goal.PAYLOADS.size(); i++) {
                text.append(i < cells.length ? " " + cells[i] : "").append(" |");
            }
            text.append("\n");
        }
        for (String path : names(Measurement::path)) {
            text.append(table(path));
        }
        return text.append("\n").toString();
    }

    private String table(String path) {
        List<Measurement> ofPath =
                rows.stream().filter(row -> row.path().equals(path)).collect(Collectors.toList());
        List<String> payloads =
                ofPath.stream().map(Measurement::payload).distinct().collect(Collectors.toList());
        StringBuilder text = new StringBuilder("\n### ").append(path).append("\n\n");
        text.append(String.format("![%1$s](performance/%1$s.svg)\n\n", path));
        text.append("| contender | ").append(String.join(" | ", payloads)).append(" |\n|---");
        text.append("|---".repeat(payloads.size())).append("|\n");
        for (String contender : new TreeSet<>(names(ofPath, Measurement::contender))) {
            text.append("| `").append(contender).append("` |");
            Map<String, Measurement> cells =
                    ofPath.stream()
                            .filter(row -> row.contender().equals(contender))
                            .collect(Collectors.toMap(Measurement::payload, row -> row));
            for (String payload : payloads) {
                text.append(cell(cells.get(payload))).append(" |");
            }
            text.append("\n");
        }
        return text.toString();
    }

    private static String cell(Measurement row) {
        if (row == null) {
            return "";
        }
        String ratio = row.vsFlink() == null ? "" : ", " + TextTable.ratio(row) + "×";
        return String.format(
                " %s (%s–%s), %s B%s",
                TextTable.number(row.ns()),
                TextTable.number(row.min()),
                TextTable.number(row.max()),
                TextTable.number(row.bytes()),
                ratio);
    }

    private List<String> names(Function<Measurement, String> name) {
        return names(rows, name);
    }

    private static List<String> names(List<Measurement> rows, Function<Measurement, String> name) {
        return rows.stream().map(name).distinct().collect(Collectors.toList());
    }
}
