package dev.sluice.flink.registry;

/** A client property as users spell it: what it does, and what holds without it. */
public final class PropertyName {
    private final String name;
    private final String defaultText;
    private final String description;

    PropertyName(String name, String defaultText, String description) {
        this.name = name;
        this.defaultText = defaultText;
        this.description = description;
    }

    /** With the prefix where only that is read (C5); {@code <Name>} stands for any text. */
    public String name() {
        return name;
    }

    /** The value that counts if none is given; empty if there is none. */
    public String defaultText() {
        return defaultText;
    }

    /** One or more sentences. */
    public String description() {
        return description;
    }
}
