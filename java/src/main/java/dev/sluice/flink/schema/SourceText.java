package dev.sluice.flink.schema;

/** One schema text and what people call it; makes the errors that point into it. */
final class SourceText {
    final String title;
    final String text;

    /**
     * @param title names the text in errors: {@code schema text} or {@code import "a/b.proto"}
     */
    SourceText(String title, String text) {
        this.title = title;
        this.text = text;
    }

    /** An error at a character offset; line and column count from 1. */
    SchemaException error(int offset, String reason) {
        int line = 1;
        int lineStart = 0;
        for (int at = 0; at < offset; at++) {
            if (text.charAt(at) == '\n') {
                line++;
                lineStart = at + 1;
            }
        }
        String place = title + ", line " + line + ":" + (offset - lineStart + 1);
        return new SchemaException(SchemaException.Kind.SYNTAX, place + ": " + reason);
    }
}
