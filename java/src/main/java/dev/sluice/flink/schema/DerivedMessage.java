package dev.sluice.flink.schema;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A message that is made up field by field, numbered from 1, and printed as a proto3 file in the
 * normal form of registries (6.2): what {@code normalize} would make of it is what it is already.
 */
public final class DerivedMessage {
    private final String name;
    private final Set<String> names = new HashSet<>(); // fields and messages are one scope
    private final List<Field> fields = new ArrayList<>();
    private final List<DerivedMessage> nested = new ArrayList<>();

    public DerivedMessage(String name) {
        this.name = name;
    }

    /**
     * A message inside this one.
     *
     * @throws IllegalArgumentException if the name is taken
     */
    public DerivedMessage nest(String nestedName) {
        take(nestedName);
        DerivedMessage message = new DerivedMessage(nestedName);
        nested.add(message);
        return message;
    }

    /**
     * The next field.
     *
     * @param label {@code optional}, {@code repeated} or empty
     * @param type as it is written: scalars by name, messages with a leading dot, nested ones of
     *     this message by their simple name
     * @param comment empty for none
     * @param parameters of {@code confluent.field_meta}, in their order
     * @throws IllegalArgumentException if the name is taken, or is none that Protobuf has
     */
    public void field(
            String fieldName,
            String label,
            String type,
            String comment,
            Map<String, String> parameters) {
        if (!fieldName.matches("[A-Za-z_][A-Za-z0-9_]*")) {
            throw new IllegalArgumentException("'" + fieldName + "' is no name of a field");
        }
        take(fieldName);
        fields.add(new Field(fieldName, label, type, comment, parameters));
    }

    private void take(String taken) {
        if (!names.add(taken)) {
            throw new IllegalArgumentException(
                    "message " + name + " would have two members named '" + taken + "'");
        }
    }

    /**
     * The file of this message alone.
     *
     * @param packageName empty for none
     * @param imports paths of the files whose messages are used
     */
    public String print(String packageName, Set<String> imports) {
        TextLines lines = new TextLines();
        lines.line("syntax = \"proto3\";");
        if (!packageName.isEmpty()) {
            lines.line("package " + packageName + ";");
        }
        lines.section();
        new TreeSet<>(imports).forEach(path -> lines.line("import \"" + path + "\";"));
        lines.section();
        print(lines, packageName.isEmpty() ? "." : "." + packageName + ".");
        return lines.toString();
    }

    private void print(TextLines lines, String scope) {
        String inside = scope + name + ".";
        lines.body(
                "message " + name,
                () -> {
                    lines.section();
                    for (int at = 0; at < fields.size(); at++) {
                        fields.get(at).print(lines, at + 1, inside);
                    }
                    lines.section();
                    nested.forEach(message -> message.print(lines, inside));
                });
    }

    private final class Field {
        private final String fieldName;
        private final String label;
        private final String type;
        private final String comment;
        private final Map<String, String> parameters;

        Field(
                String fieldName,
                String label,
                String type,
                String comment,
                Map<String, String> parameters) {
            this.fieldName = fieldName;
            this.label = label.isEmpty() ? "" : label + " ";
            this.type = type;
            this.comment = comment;
            this.parameters = new LinkedHashMap<>(parameters);
        }

        void print(TextLines lines, int number, String inside) {
            boolean isNested = nested.stream().anyMatch(message -> message.name.equals(type));
            String head =
                    label + (isNested ? inside + type : type) + " " + fieldName + " = " + number;
            Map<String, String> meta = new LinkedHashMap<>();
            if (!comment.isEmpty()) {
                meta.put("doc", TextLines.quoted(comment));
            }
            if (!parameters.isEmpty()) {
                meta.put("params", TextLines.parameters(parameters, lines.level() + 1));
            }
            lines.withOptions(
                    head,
                    meta.isEmpty()
                            ? List.of()
                            : List.of(lines.aggregate("(confluent.field_meta)", meta)));
        }
    }
}
