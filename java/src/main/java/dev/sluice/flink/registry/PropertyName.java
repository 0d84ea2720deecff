package dev.sluice.flink.registry;

/** A client property as users spell it: what it does, and what holds without it. */
public final class PropertyName {
    private final String name;
    private final String type;
    private final String defaultText;
    private final String description;
    private final String example;

    PropertyName(String name, String type, String defaultText, String description, String example) {
        this.name = name;
        this.type = type;
        this.defaultText = defaultText;
        this.description = description;
        this.example = example;
    }

    /** With the prefix where only that is read (C5); {@code <Name>} stands for any text. */
    public String name() {
        return name;
    }

    /** {@code String}, {@code Boolean}, {@code Integer}, or {@code List} with commas between. */
    public String type() {
        return type;
    }

    /** The value that counts if none is given; empty if there is none. */
    public String defaultText() {
        return defaultText;
    }

    /** One or more sentences. */
    public String description() {
        return description;
    }

    /** A value that is accepted, beside the other examples of its kind where one needs another. */
    public String example() {
        return example;
    }
}
