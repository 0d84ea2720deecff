package dev.sluice.flink.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Lines of a schema text in the layout in which registries keep them (P1 to P5): two blanks for
 * each level, an empty line between the sections of a body and none inside them.
 */
final class TextLines {
    private final StringBuilder text = new StringBuilder();
    private int level;
    private boolean inSection;
    private boolean anySection;

    /** Begins a section of the current body; the line before it comes with its first line. */
    void section() {
        inSection = false;
    }

    /** One line. */
    void line(String line) {
        if (!inSection && anySection) {
            indent(level - 1);
            text.append('\n');
        }
        inSection = true;
        anySection = true;
        indent(level);
        text.append(line).append('\n');
    }

    /** A body in braces behind {@code head}; an empty one stays on its line. */
    void body(String head, Runnable content) {
        int before = text.length();
        line(head + " {");
        int opened = text.length();
        boolean section = inSection;
        level++;
        inSection = false;
        anySection = false;
        content.run();
        level--;
        inSection = section;
        anySection = true;
        if (text.length() == opened) {
            text.setLength(text.length() - 1);
            text.append("}\n");
        } else {
            indent(level);
            text.append("}\n");
        }
        assert text.length() > before;
    }

    /** A field or value with its options, which are texts already and may have several lines. */
    void withOptions(String head, List<String> options) {
        if (options.isEmpty()) {
            line(head + ";");
        } else if (options.size() == 1) {
            line(head + " [" + options.get(0) + "];");
        } else {
            List<String> lines = new ArrayList<>();
            options.forEach(option -> lines.add(indented(option)));
            line(head + " [\n" + String.join(",\n", lines) + "\n" + "  ".repeat(level) + "];");
        }
    }

    private String indented(String option) {
        return "  ".repeat(level + 1) + option.replace("\n", "\n  ");
    }

    /**
     * An aggregate option, {@code (name) = { ... }}.
     *
     * @param members texts by name; a member may be an aggregate or a list
     */
    String aggregate(String name, Map<String, String> members) {
        return name + " = " + block(members, level);
    }

    /** {@code { name: value, ... }} at a level. */
    static String block(Map<String, String> members, int level) {
        List<String> lines = new ArrayList<>();
        members.forEach((name, value) -> lines.add("  ".repeat(level + 1) + name + ": " + value));
        return "{\n" + String.join(",\n", lines) + "\n" + "  ".repeat(level) + "}";
    }

    /** The parameters of a field, as a list or, of one, alone (P11). */
    static String parameters(Map<String, String> parameters, int level) {
        boolean single = parameters.size() == 1;
        List<String> entries = new ArrayList<>();
        parameters.forEach(
                (key, value) -> {
                    Map<String, String> members = new java.util.LinkedHashMap<>();
                    members.put("key", quoted(key));
                    members.put("value", quoted(value));
                    entries.add(block(members, single ? level : level + 1));
                });
        if (single) {
            return entries.get(0);
        }
        String indent = "  ".repeat(level + 1);
        return "[\n"
                + indent
                + String.join(",\n" + indent, entries)
                + "\n"
                + "  ".repeat(level)
                + "]";
    }

    int level() {
        return level;
    }

    /** A string literal (P4). */
    static String quoted(String value) {
        StringBuilder out = new StringBuilder("\"");
        for (char letter : value.toCharArray()) {
            out.append(escaped(letter));
        }
        return out.append('"').toString();
    }

    private static String escaped(char letter) {
        switch (letter) {
            case 7:
                return "\\a";
            case '\b':
                return "\\b";
            case '\f':
                return "\\f";
            case '\n':
                return "\\n";
            case '\r':
                return "\\r";
            case '\t':
                return "\\t";
            case 11:
                return "\\v";
            case '\\':
            case '\'':
            case '"':
                return "\\" + letter;
            default:
                return String.valueOf(letter);
        }
    }

    private void indent(int count) {
        text.append("  ".repeat(Math.max(0, count)));
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
