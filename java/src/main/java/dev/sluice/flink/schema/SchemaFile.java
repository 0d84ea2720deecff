package dev.sluice.flink.schema;

import java.util.List;

/** A file to be registered: its text, and the files that it imports but for the built-in ones. */
public final class SchemaFile {
    private final String path;
    private final String text;
    private final List<SchemaFile> imports;

    /**
     * @param path how others import it; names it in messages
     * @param imports in the order of the text
     */
    public SchemaFile(String path, String text, List<SchemaFile> imports) {
        this.path = path;
        this.text = text;
        this.imports = List.copyOf(imports);
    }

    public String path() {
        return path;
    }

    public String text() {
        return text;
    }

    public List<SchemaFile> imports() {
        return imports;
    }
}
