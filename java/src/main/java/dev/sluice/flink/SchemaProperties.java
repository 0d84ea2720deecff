package dev.sluice.flink;

import dev.sluice.flink.format.SubjectStrategy;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The client properties of one role, key or value, that say which schema is read or written.
 *
 * <p>Errors are {@link IllegalArgumentException}s that name the property.
 */
final class SchemaProperties {
    private static final String PREFIX = "schema.registry.";

    private final Map<String, String> properties;
    private final boolean isKey;
    private final ClassLoader userCode;

    /**
     * @param properties client properties of a table
     * @param userCode where a subject name strategy of the user's own is found
     */
    SchemaProperties(Map<String, String> properties, boolean isKey, ClassLoader userCode) {
        this.properties = properties;
        this.isKey = isKey;
        this.userCode = userCode;
    }

    boolean isKey() {
        return isKey;
    }

    /**
     * How subjects are named: by a strategy that is known by its name, or a class of the user's.
     */
    SubjectNameStrategy strategy() {
        String property = role() + "subject.name.strategy";
        String name = find(property);
        try {
            return SubjectStrategy.of(name, find("subject.name.strategy.fallback.type"));
        } catch (IllegalArgumentException unknown) {
            return ofUser(name == null ? "" : name.trim(), unknown);
        }
    }

    private SubjectNameStrategy ofUser(String className, IllegalArgumentException unknown) {
        try {
            Class<?> found = Class.forName(className, true, userCode);
            return found.asSubclass(SubjectNameStrategy.class)
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            unknown.addSuppressed(e);
            throw unknown;
        }
    }

    String role() {
        return isKey ? "key." : "value.";
    }

    /** The value under the prefixed name or the bare one; null if neither is there. */
    String find(String name) {
        String value = properties.getOrDefault(PREFIX + name, properties.get(name));
        return value == null || value.isBlank() ? null : value;
    }

    boolean flag(String name) {
        return flag(name, false);
    }

    boolean flag(String name, boolean fallback) {
        String value = find(name);
        return value == null ? fallback : Boolean.parseBoolean(value.trim());
    }

    int wholeNumber(String name, int fallback) {
        return wholeNumber(name, find(name), fallback);
    }

    /** Of a property that is known by its bare name only (C5). */
    int bareWholeNumber(String name, int fallback) {
        return wholeNumber(name, properties.get(name), fallback);
    }

    private static int wholeNumber(String name, String value, int fallback) {
        try {
            return value == null || value.isBlank() ? fallback : Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "registry property '" + name + "' is no whole number: '" + value + "'", e);
        }
    }

    static UUID guid(String text) {
        try {
            return UUID.fromString(text.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "registry property 'use.schema.guid' is no GUID: '" + text + "'", e);
        }
    }

    static int[] indexes(String text) {
        try {
            return Arrays.stream(text.split(","))
                    .mapToInt(index -> Integer.parseInt(index.trim()))
                    .toArray();
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "registry property 'use.message.indexes' is no list of whole numbers: '"
                            + text
                            + "'",
                    e);
        }
    }

    /** {@code k1=v1,k2=v2}; a value may stand in single quotes. */
    Map<String, String> pairs(String name) {
        Map<String, String> pairs = new TreeMap<>();
        String text = find(name);
        if (text == null) {
            return pairs;
        }
        for (String pair : text.split(",(?=(?:[^']*'[^']*')*[^']*$)")) {
            int equals = pair.indexOf('=');
            if (equals < 1) {
                throw new IllegalArgumentException(
                        "registry property '" + name + "' must look like 'key=value,key=value'");
            }
            String value = pair.substring(equals + 1).trim();
            boolean quoted = value.length() > 1 && value.startsWith("'") && value.endsWith("'");
            pairs.put(
                    pair.substring(0, equals).trim(),
                    quoted ? value.substring(1, value.length() - 1) : value);
        }
        return pairs;
    }
}
