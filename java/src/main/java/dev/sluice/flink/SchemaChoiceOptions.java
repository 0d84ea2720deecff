package dev.sluice.flink;

import dev.sluice.flink.ProtoConfluentFormatOptions.UnframedRecords;
import dev.sluice.flink.format.ReaderSchema;
import dev.sluice.flink.format.SchemaChoice;

import org.apache.flink.configuration.ReadableConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * What the options and client properties of a table say of the schemas that it is read with.
 *
 * <p>Errors are {@link IllegalArgumentException}s that name the option or property.
 */
final class SchemaChoiceOptions {
    private static final Logger LOG = LoggerFactory.getLogger(SchemaChoiceOptions.class);

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
    private final SchemaProperties given;
    private final boolean isKey;

    private SchemaChoiceOptions(ReadableConfig options, SchemaProperties given) {
        this.options = options;
        this.given = given;
        this.isKey = options.get(ProtoConfluentFormatOptions.IS_KEY);
    }

    /**
     * @param given the client properties of the same options
     * @param messageOfClass full name of the message of {@code message-class}, or null
     */
    static SchemaChoice of(ReadableConfig options, SchemaProperties given, String messageOfClass) {
        return new SchemaChoiceOptions(options, given).choice(messageOfClass);
    }

    private SchemaChoice choice(String messageOfClass) {
        refuseUnknownWays();
        Map<String, String> metadata = given.pairs("use.latest.with.metadata");
        ReaderSchema reader = reader(messageOfClass, metadata);
        boolean readsUnframed =
                options.get(ProtoConfluentFormatOptions.UNFRAMED_RECORDS) == UnframedRecords.LATEST;
        boolean readsAll = given.flag("use.latest.version") || !metadata.isEmpty();
        requireSchema(reader, readsAll);
        return new SchemaChoice(lookupSubject(), reader, readsAll, readsUnframed, lifetime());
    }

    private ReaderSchema reader(String messageOfClass, Map<String, String> metadata) {
        ReaderSchema.Builder reader = new ReaderSchema.Builder().metadata(metadata);
        String message = options.get(ProtoConfluentFormatOptions.MESSAGE_NAME);
        reader.message(message).preferred(messageOfClass);
        options.getOptional(ProtoConfluentFormatOptions.SCHEMA).ifPresent(reader::text);
        int id = given.wholeNumber("use.schema.id", -1);
        if (id >= 0) {
            reader.id(id);
        }
        String guid = given.find("use.schema.guid");
        if (guid != null) {
            reader.guid(SchemaProperties.guid(guid));
        }
        String indexes = given.find("use.message.indexes");
        if (indexes != null) {
            reader.indexes(SchemaProperties.indexes(indexes));
        }
        nameSubject(reader, message == null ? messageOfClass : message);
        return reader.build();
    }

    private void nameSubject(ReaderSchema.Builder reader, String message) {
        String subject = options.get(ProtoConfluentFormatOptions.SUBJECT);
        SubjectNameStrategy strategy = given.strategy();
        if (subject != null) {
            reader.subject(subject);
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
        String subject = options.get(ProtoConfluentFormatOptions.SUBJECT);
        if (subject != null) {
            return subject;
        }
        SubjectNameStrategy strategy = given.strategy();
        String topic = options.get(ProtoConfluentFormatOptions.TOPIC);
        return strategy.needsMessage() ? "" : strategy.subject(topic, isKey, null);
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
        String property = given.role() + "schema.id.deserializer";
        String deserializer = given.find(property);
        if (deserializer != null
                && !ID_DESERIALIZERS.contains(without(ID_PACKAGE, deserializer.trim()))) {
            throw new IllegalArgumentException(
                    "registry property '" + property + "' names a class that is not known");
        }
        String context = given.find("context.name.strategy");
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
        int seconds = given.bareWholeNumber("latest.cache.ttl.sec", -1);
        return seconds > 0 ? Duration.ofSeconds(seconds) : null;
    }
}
