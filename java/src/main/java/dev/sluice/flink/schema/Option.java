package dev.sluice.flink.schema;

import java.util.List;

/** One option as written: {@code (confluent.field_meta).doc = "x"}. */
final class Option {
    /** A step of the name. */
    static final class Part {
        final String name;
        final boolean extension; // written in parentheses

        Part(String name, boolean extension) {
            this.name = name;
            this.extension = extension;
        }
    }

    final int at; // offset in the text
    final List<Part> name;
    final OptionValue value;

    Option(int at, List<Part> name, OptionValue value) {
        this.at = at;
        this.name = name;
        this.value = value;
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (Part part : name) {
            text.append(text.length() == 0 ? "" : ".");
            text.append(part.extension ? "(" + part.name + ")" : part.name);
        }
        return text.toString();
    }
}
