package dev.sluice.flink;

import dev.sluice.flink.ProtoConfluentFormatOptions.UnframedRecords;
import dev.sluice.flink.format.ReaderSchema;
import dev.sluice.flink.format.SchemaChoice;
import dev.sluice.flink.format.SubjectStrategy;

import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * What the options and client properties of a table say of the schemas that it is read with.
 *
 * <p>Errors are {@link IllegalArgumentException}s that name the option or property.
 */
final class SchemaChoiceOptions {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChoiceOptions.class);

    private static final String PREFIX = "schema.registry.";
    private static final String ID_PACKAGE = "io.confluent.kafka.serializers.schema.id.";

    /**
     * Ways to find a schema id, which all end in the one chain of R1: a valid message never begins
     * like a frame, so what the last of them reads as bare is read as bare here too.
     */
    private static final Set<String> ID_DESERIALIZERS =
            Set.of(
                    "DualSchemaIdDeserializer",
                    "PrefixSchemaIdDeserializer",
                    "ConfigSchemaIdDeserializer");

    private final ReadableConfig options;
    private final Map<String, String> properties;
    private final boolean isKey;

    private SchemaChoiceOptions(ReadableConfig options, Map<String, String> properties) {
        this.options = options;
        this.properties = properties;
        this.isKey = options.get(ProtoConfluentFormatOptions.IS_KEY);
    }

    /**
     * @param properties the client properties of the same options
     * @param messageOfClass full name of the message of {@code message-class}, or null
     */
    static SchemaChoice of(
            ReadableConfig options, Map<String, String> properties, String messageOfClass) {
        return new SchemaChoiceOptions(options, properties).choice(messageOfClass);
    }

    private SchemaChoice choice(String messageOfClass) {
        refuseUnknownWays();
        Map<String, String> metadata = pairs("use.latest.with.metadata");
        ReaderSchema reader = reader(messageOfClass, metadata);
        boolean readsUnframed =
                options.get(ProtoConfluentFormatOptions.UNFRAMED_RECORDS) == UnframedRecords.LATEST;
        boolean readsAll = flag("use.latest.version") || !metadata.isEmpty();
        requireSchema(reader, readsAll);
        return new SchemaChoice(lookupSubject(), reader, readsAll, readsUnframed, lifetime());
    }

    private ReaderSchema reader(String messageOfClass, Map<String, String> metadata) {
        ReaderSchema.Builder reader = new ReaderSchema.Builder().metadata(metadata);
        String message = options.get(ProtoConfluentFormatOptions.MESSAGE_NAME);
        reader.message(message).preferred(messageOfClass);
        options.getOptional(ProtoConfluentFormatOptions.SCHEMA).ifPresent(reader::text);
        int id = wholeNumber("use.schema.id", -1);
        if (id >= 0) {
            reader.id(id);
        }
        String guid = find("use.schema.guid");
        if (guid != null) {
            reader.guid(guid(guid));
        }
        String indexes = find("use.message.indexes");
        if (indexes != null) {
            reader.indexes(indexes(indexes));
        }
        nameSubject(reader, message == null ? messageOfClass : message);
        return reader.build();
    }

    private void nameSubject(ReaderSchema.Builder reader, String message) {
        String given = options.get(ProtoConfluentFormatOptions.SUBJECT);
        SubjectStrategy strategy = strategy();
        if (given != null) {
            reader.subject(given);
        } else if (strategy.needsMessage() && message == null) {
            reader.noSubject(
                    String.format(
                            "%s names no subject without option 'message-name' or 'message-class'",
                            strategy));
        } else {
            String topic = options.get(ProtoConfluentFormatOptions.TOPIC);
            reader.subject(strategy.subject(topic, isKey, message));
        }
    }

    /** R4: a record strategy cannot name a subject before the message is known. */
    private String lookupSubject() {
        String given = options.get(ProtoConfluentFormatOptions.SUBJECT);
        if (given != null) {
            return given;
        }
        SubjectStrategy strategy = strategy();
        String topic = options.get(ProtoConfluentFormatOptions.TOPIC);
        return strategy.needsMessage() ? "" : strategy.subject(topic, isKey, null);
    }

    private SubjectStrategy strategy() {
        return SubjectStrategy.of(
                find(role() + "subject.name.strategy"),
                find("subject.name.strategy.fallback.type"));
    }

    /** Records without frame are expected by whoever sets the option, not by everybody else. */
    private void requireSchema(ReaderSchema reader, boolean readsAll) {
        if (reader.exists()) {
            return;
        }
        UnframedRecords asked =
                options.getOptional(ProtoConfluentFormatOptions.UNFRAMED_RECORDS).orElse(null);
        if (readsAll || asked == UnframedRecords.LATEST) {
            throw new IllegalArgumentException(reader.whyNoSubject());
        }
        if (asked == null) {
            LOG.warn("records without frame will be refused: {}", reader.whyNoSubject());
        }
    }

    /** A setting that changes which schema is read must not be passed over. */
    private void refuseUnknownWays() {
        String property = role() + "schema.id.deserializer";
        String deserializer = find(property);
        if (deserializer != null
                && !ID_DESERIALIZERS.contains(without(ID_PACKAGE, deserializer.trim()))) {
            throw new IllegalArgumentException(
                    "registry property '" + property + "' names a class that is not known");
        }
        String context = find("context.name.strategy");
        if (context != null && !context.trim().endsWith(".NullContextNameStrategy")) {
            throw new IllegalArgumentException(
                    "registry property 'context.name.strategy' is not supported: name the context"
                            + " in option 'subject' (':.context:subject') or in the URL");
        }
    }

    private static String without(String prefix, String text) {
        return text.startsWith(prefix) ? text.substring(prefix.length()) : text;
    }

    private Duration lifetime() {
        String name = "latest.cache.ttl.sec";
        int seconds = wholeNumber(name, properties.get(name), -1); // C5: by its bare name only
        return seconds > 0 ? Duration.ofSeconds(seconds) : null;
    }

    private String role() {
        return isKey ? "key." : "value.";
    }

    /** The value under the prefixed name or the bare one; null if neither is there. */
    private String find(String name) {
        String value = properties.getOrDefault(PREFIX + name, properties.get(name));
        return value == null || value.isBlank() ? null : value;
    }

    private boolean flag(String name) {
        String value = find(name);
        return value != null && Boolean.parseBoolean(value.trim());
    }

    private int wholeNumber(String name, int fallback) {
        return wholeNumber(name, find(name), fallback);
    }

    private static int wholeNumber(String name, String value, int fallback) {
        try {
            return value == null || value.isBlank() ? fallback : Integer.parseInt(value.trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "registry property '" + name + "' is no whole number: '" + value + "'", e);
        }
    }

    private static UUID guid(String text) {
        try {
            return UUID.fromString(text.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "registry property 'use.schema.guid' is no GUID: '" + text + "'", e);
        }
    }

    private static int[] indexes(String text) {
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
    private Map<String, String> pairs(String name) {
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
