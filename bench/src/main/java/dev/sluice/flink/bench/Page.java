package dev.sluice.flink.bench;

import java.util.List;
import java.util.stream.Collectors;

/** {@code index.html}: all results, with the plots beside it. */
record Page(Machine machine, List<Measurement> rows) {

    private static final String HEAD =
            "<!doctype html>\n"
                    + "<html lang=\"en\">\n"
                    + "<meta charset=\"utf-8\">\n"
                    + "<title>Sluice beside its peers</title>\n"
                    + "<style>\n"
                    + "body { font: 15px/1.5 sans-serif; max-width: 75em; margin: 2em auto; }\n"
                    + "td, th { padding: .1em .8em; text-align: right; }\n"
                    + "td:first-child, td:nth-child(2), th { text-align: left; }\n"
                    + "tr.ours { background: #f8e3d6; }\n"
                    + "tr.first td { border-top: 1px solid #999; }\n"
                    + "img { max-width: 100%; }\n"
                    + "</style>\n";

    private static final String METHOD =
            "<p>Nanoseconds of CPU time of the working thread per record: the median of interleaved"
                + " rounds, with the least and the greatest; bytes that the thread allocated per"
                + " record. One JVM for each payload and path; before the time is taken, all"
                + " contenders have been seen to give equal results. The collector's threads are"
                + " not in the time, so the bytes belong to it.</p>\n";

    String html() {
        StringBuilder html = new StringBuilder(HEAD);
        html.append("<h1>Sluice beside its peers</h1>\n<table>\n");
        machine.facts()
                .forEach(
                        (name, fact) ->
                                html.append("<tr><th>")
                                        .append(escaped(name))
                                        .append("<td>")
                                        .append(escaped(fact))
                                        .append("\n"));
        html.append("</table>\n").append(METHOD).append(goals());
        List<Measurement> sorted = Groups.sorted(rows);
        List<String> paths =
                sorted.stream().map(Measurement::path).distinct().collect(Collectors.toList());
        for (String path : paths) {
            html.append(String.format("<h2>%1$s</h2>\n<img src=\"%1$s.svg\" alt=\"\">\n", path));
            html.append(table(sorted, path));
        }
        return html.append("</html>\n").toString();
    }

    private String goals() {
        StringBuilder html = new StringBuilder("<h2>Goals</h2>\n<table>\n");
        html.append("<tr><th>path<th>what<th>speed, that of … being 1<th>flat, nested, wide\n");
        for (Goal goal : Goal.ALL) {
            html.append(
                    String.format(
                            "<tr><td>%s<td>%s<td>%s<td>%s\n",
                            goal.path(), goal.what(), goal.peer(), goal.text(rows)));
        }
        return html.append("</table>\n").toString();
    }

    private static String table(List<Measurement> sorted, String path) {
        StringBuilder html = new StringBuilder("<table>\n<tr><th>payload<th>contender<th>ns");
        html.append("<th>min<th>max<th>bytes<th>vs flink\n");
        String payload = "";
        for (Measurement row : sorted) {
            if (!row.path().equals(path)) {
                continue;
            }
            String kind = row.payload().equals(payload) ? "" : "first ";
            payload = row.payload();
            html.append("<tr class=\"").append(kind).append(row.isOurs() ? "ours" : "");
            html.append("\"><td>").append(row.payload());
            html.append("<td>").append(row.contender());
            for (double number : new double[] {row.ns(), row.min(), row.max(), row.bytes()}) {
                html.append("<td>").append(TextTable.number(number));
            }
            html.append("<td>").append(TextTable.ratio(row)).append("\n");
        }
        return html.append("</table>\n").toString();
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
