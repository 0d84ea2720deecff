package dev.sluice.flink;

import dev.sluice.flink.format.DerivedSchema;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.WriterChoice;
import dev.sluice.flink.format.WriterChoice.By;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.types.logical.RowType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;

/**
 * What the options and client properties of a table say of the schema that it writes.
 *
 * <p>Errors are {@link IllegalArgumentException}s that name the option or property.
 */
final class WriterChoiceOptions {
    private static final Logger LOG = LoggerFactory.getLogger(WriterChoiceOptions.class);

    private static final String REFERENCES = "reference.subject.name.strategy";

    private final ReadableConfig options;
    private final SchemaProperties given;
    private final MessageClass messageClass; // or null

    WriterChoiceOptions(ReadableConfig options, SchemaProperties given, MessageClass messageClass) {
        this.options = options;
        this.given = given;
        this.messageClass = messageClass;
    }

    /**
     * The choice of a table with these columns. The first that is given counts: an id or GUID, a
     * text, a class, the latest schema with metadata, the latest schema, the columns.
     *
     * @param comments of top-level columns by name
     */
    WriterChoice choose(RowType row, Map<String, String> comments) {
        requireOneOf();
        boolean registers = given.flag("auto.register.schemas");
        String asked = options.get(ProtoConfluentFormatOptions.MESSAGE_NAME);
        Map<String, String> metadata = given.pairs("use.latest.with.metadata");
        boolean latest = given.flag("use.latest.version");
        WriterChoice.Builder choice;
        String recordName = asked;
        if (isPinned()) {
            choice = pinned(registers).message(asked);
        } else if (options.getOptional(ProtoConfluentFormatOptions.SCHEMA).isPresent()) {
            String text = options.get(ProtoConfluentFormatOptions.SCHEMA);
            recordName = asked == null ? firstMessage(text) : asked;
            choice = new WriterChoice.Builder(By.TEXT).text(text).message(recordName);
        } else if (messageClass != null) {
            recordName = messageClass.descriptor().getFullName();
            choice =
                    new WriterChoice.Builder(By.CLASS)
                            .descriptors(messageClass.descriptors())
                            .message(recordName);
        } else if (!metadata.isEmpty()) {
            choice = new WriterChoice.Builder(By.LATEST_WITH_METADATA).metadata(metadata);
            choice.message(asked);
        } else if (latest && !registers) {
            choice = new WriterChoice.Builder(By.LATEST).message(asked);
        } else {
            recordName = asked == null ? DerivedSchema.DEFAULT_NAME : asked;
            String text = DerivedSchema.of(row, recordName, comments).text();
            choice = new WriterChoice.Builder(By.COLUMNS).text(text).message(recordName);
            latest = true; // the subject's own schema is written where it has one
        }
        return choice.subject(subject(recordName))
                .registers(registers && !isPinned())
                .normalizes(given.flag("normalize.schemas", true))
                .references(
                        given.flag("skip.known.types", true),
                        given.flag("reference.lookup.only"),
                        qualifiesReferences())
                .latest(latest, given.flag("latest.compatibility.strict", true))
                .build();
    }

    private boolean isPinned() {
        return given.wholeNumber("use.schema.id", -1) >= 0 || given.find("use.schema.guid") != null;
    }

    private WriterChoice.Builder pinned(boolean registers) {
        int id = given.wholeNumber("use.schema.id", -1);
        if (registers) {
            LOG.warn(
                    "nothing is registered although 'auto-register-schemas' is true: {} pins the"
                            + " schema that is written",
                    id >= 0 ? "'use-schema-id'" : "'use.schema.guid'");
        }
        return id >= 0
                ? new WriterChoice.Builder(By.ID).id(id)
                : new WriterChoice.Builder(By.GUID)
                        .guid(SchemaProperties.guid(given.find("use.schema.guid")));
    }

    /** Each of these says which schema is written; two of them would say two. */
    private void requireOneOf() {
        String pin =
                given.wholeNumber("use.schema.id", -1) >= 0 ? "use-schema-id" : "use.schema.guid";
        boolean hasText = options.getOptional(ProtoConfluentFormatOptions.SCHEMA).isPresent();
        String first = isPinned() ? pin : hasText ? "schema" : null;
        String second =
                isPinned() && hasText ? "schema" : messageClass != null ? "message-class" : null;
        if (first != null && second != null && !first.equals(second)) {
            throw new IllegalArgumentException(
                    String.format(
                            "'%s' and '%s' both say which schema is written; give one of them",
                            first, second));
        }
    }

    private static String firstMessage(String text) {
        try {
            return WriterSchema.of(text, Map.of()).descriptor(new int[] {0}).getFullName();
        } catch (SchemaException e) {
            throw new IllegalArgumentException("option 'schema': " + e.getMessage(), e);
        }
    }

    private String subject(String recordName) {
        String subject = options.get(ProtoConfluentFormatOptions.SUBJECT);
        if (subject != null) {
            return subject;
        }
        SubjectNameStrategy strategy = given.strategy();
        String name = recordName;
        if (name == null) {
            name =
                    messageClass == null
                            ? DerivedSchema.DEFAULT_NAME
                            : messageClass.descriptor().getFullName();
        }
        String topic = options.get(ProtoConfluentFormatOptions.TOPIC);
        return strategy.subject(topic, given.isKey(), name);
    }

    private boolean qualifiesReferences() {
        String name = given.find(REFERENCES);
        if (name == null || name.trim().endsWith("DefaultReferenceSubjectNameStrategy")) {
            return false;
        }
        if (name.trim().endsWith("QualifiedReferenceSubjectNameStrategy")) {
            return true;
        }
        throw new IllegalArgumentException(
                "registry property '" + REFERENCES + "' names a strategy that is not known");
    }
}
