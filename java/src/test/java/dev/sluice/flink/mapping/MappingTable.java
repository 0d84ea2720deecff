package dev.sluice.flink.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * The table of fields and SQL types, asked of the engines. Kinds with equal answers share their
 * lines, as do SQL types; a pair that no profile takes has no line.
 */
final class MappingTable {
    private final List<String> lines = new ArrayList<>();
    private final Map<List<Line>, List<String>> blocks = new LinkedHashMap<>(); // and their kinds

    /** SQL types with the same answers. */
    private static final class Line {
        final String presence;
        final String sqlTypes;
        final List<String> answers;

        Line(String presence, String sqlTypes, List<String> answers) {
            this.presence = presence;
            this.sqlTypes = sqlTypes;
            this.answers = answers;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Line && other.toString().equals(toString());
        }

        @Override
        public int hashCode() {
            return toString().hashCode();
        }

        @Override
        public String toString() {
            StringJoiner cells = new StringJoiner(" | ", " | ", " |");
            cells.add(presence).add(sqlTypes);
            answers.forEach(answer -> cells.add(cell(answer)));
            return cells.toString();
        }

        private static String cell(String answer) {
            return answer.equals(Question.MISMATCH) ? answer : "`" + answer + "`";
        }
    }

    /** What the fields become that a record lacks. */
    static String ofAbsentFields() {
        MappingTable table = new MappingTable();
        for (Kind kind : Kind.SCALARS) {
            List<Line> block = new ArrayList<>();
            block.addAll(ask("no", kind, "", Texts.proto3(kind.name + " f = 1;")));
            block.addAll(ask("yes", kind, "", withPresence(kind)));
            String declared = "optional " + kind.name + " f = 1 [default = %s];";
            String text = Texts.proto2(String.format(declared, kind.defaultValue));
            block.addAll(ask("yes, default `" + kind.defaultValue + "`", kind, "", text));
            table.add(kind.label(), block);
        }
        String required = Texts.proto2("required int32 f = 1;");
        table.add("any kind, here `int32`", ask("required", Kind.SCALARS.get(0), "", required));
        for (Kind kind : Kind.MESSAGES) {
            table.add(kind.label(), ask("yes", kind, "", Texts.proto3(kind.name + " f = 1;")));
        }
        for (Shape shape : Shape.ALL) {
            table.add(shape.label, ask(shape.presence, shape.sqlTypes, "", shape.text));
        }
        return table.text("Absent field");
    }

    /** What messages become that are there without a byte in them. */
    static String ofEmptyMessages() {
        MappingTable table = new MappingTable();
        for (Kind kind : Kind.MESSAGES) {
            String text = Texts.proto3(kind.name + " f = 1;");
            table.add(kind.label(), ask("yes", kind, "0a00", text));
        }
        for (Shape shape : Shape.ALL) {
            if (shape.empty != null) {
                table.add(
                        shape.label, ask(shape.presence, shape.sqlTypes, shape.empty, shape.text));
            }
        }
        return table.text("Empty message");
    }

    private static String[] withPresence(Kind kind) {
        return new String[] {
            Texts.proto3("optional " + kind.name + " f = 1;"),
            Texts.proto3("oneof one { " + kind.name + " f = 1; }"),
            Texts.proto2("optional " + kind.name + " f = 1;"),
            Texts.edition(kind.name + " f = 1;"),
        };
    }

    private static List<Line> ask(String presence, Kind kind, String record, String... texts) {
        return ask(presence, kind.sqlTypes, record, texts);
    }

    /** Asks for every SQL type; all texts must give the same answers. */
    private static List<Line> ask(
            String presence, List<String> sqlTypes, String record, String... texts) {
        Map<List<String>, List<String>> byAnswers = new LinkedHashMap<>();
        for (String sqlType : sqlTypes) {
            List<String> answers = answers(texts[0], record, sqlType);
            for (String text : texts) {
                assertThat(answers(text, record, sqlType))
                        .as("%s from\n%s\nas from\n%s", sqlType, text, texts[0])
                        .isEqualTo(answers);
            }
            if (Collections.frequency(answers, Question.MISMATCH) < answers.size()) {
                byAnswers.computeIfAbsent(answers, key -> new ArrayList<>()).add(sqlType);
            }
        }
        List<Line> asked = new ArrayList<>();
        byAnswers.forEach(
                (answers, types) -> asked.add(new Line(presence, SqlNames.of(types), answers)));
        return asked;
    }

    /** By each of the rules, the first of the alternatives that is taken. */
    static List<String> answers(String text, String record, String sqlType) {
        Question question = Question.of(text, record);
        List<String> answers = null;
        for (String alternative : sqlType.split("\\|")) {
            List<String> next = question.answers(alternative);
            if (answers == null) {
                answers = next;
            }
            for (int at = 0; at < next.size(); at++) {
                if (answers.get(at).equals(Question.MISMATCH)) {
                    answers.set(at, next.get(at));
                }
            }
        }
        return answers;
    }

    private void add(String kind, List<Line> block) {
        blocks.computeIfAbsent(block, key -> new ArrayList<>()).add(kind);
    }

    private String text(String title) {
        StringJoiner head = new StringJoiner(" | ", "| ", " |");
        head.add(title).add("Presence").add("SQL type");
        Arrays.stream(Rules.values()).forEach(rules -> head.add(rules.title));
        lines.add(head.toString());
        lines.add("|---".repeat(3 + Rules.values().length) + "|");
        blocks.forEach(
                (block, kinds) -> {
                    String names = String.join(", ", kinds);
                    for (Line line : block) {
                        lines.add("| " + names + line);
                        names = "";
                    }
                });
        return String.join("\n", lines) + "\n";
    }
}
