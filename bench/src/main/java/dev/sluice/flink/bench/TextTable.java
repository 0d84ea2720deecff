package dev.sluice.flink.bench;

import java.util.List;
import java.util.Locale;

/** Measurements as lines of text, the fastest of a group first. */
final class TextTable {
    private static final String ROW = "%-19s %-10s %-22s %9s  %-19s %7s %8s%n";

    private TextTable() {}

    static String of(List<Measurement> rows) {
        StringBuilder text = new StringBuilder();
        text.append(
                String.format(
                        ROW,
                        "path",
                        "payload",
                        "contender",
                        "ns",
                        "(min - max)",
                        "bytes",
                        "vs flink"));
        String group = "";
        for (Measurement row : Groups.sorted(rows)) {
            String at = row.path() + row.payload();
            if (!at.equals(group)) {
                text.append(System.lineSeparator());
                group = at;
            }
            text.append(
                    String.format(
                            Locale.ROOT,
                            ROW,
                            row.path(),
                            row.payload(),
                            row.contender(),
                            number(row.ns()),
                            "(" + number(row.min()) + " - " + number(row.max()) + ")",
                            number(row.bytes()),
                            ratio(row)));
        }
        return text.toString();
    }

    static String ratio(Measurement row) {
        return row.vsFlink() == null ? "" : String.format(Locale.ROOT, "%.2f", row.vsFlink());
    }

    static String number(double value) {
        return String.format(Locale.ROOT, value < 100 && value % 1 != 0 ? "%,.1f" : "%,.0f", value);
    }
}
