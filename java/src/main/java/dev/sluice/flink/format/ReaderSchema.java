package dev.sluice.flink.format;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * The schema that a table reads with where records name none (R1): the subject's latest, or what
 * the table says instead, and which of its messages. A value that travels in the job.
 *
 * <p>The first that is given counts: a text, an id, a GUID, the subject's latest. The latest one
 * can be {@link #pinned} to the id that it had when the table was planned, so that it stays the
 * same for the life of the job.
 */
public final class ReaderSchema implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String text;
    private final Integer id;
    private final UUID guid;
    private final String subject;
    private final String whyNoSubject;
    private final TreeMap<String, String> metadata;
    private final boolean isPinned;
    private final String message;
    private final String preferred;
    private final int[] indexes;

    private ReaderSchema(Builder given) {
        text = given.text;
        id = given.id;
        guid = given.guid;
        subject = given.subject;
        whyNoSubject = given.whyNoSubject;
        metadata = given.metadata;
        isPinned = given.isPinned;
        message = given.message;
        preferred = given.preferred;
        indexes = given.indexes;
    }

    /** Whether there is anything to read with: a record strategy without a message has not. */
    public boolean exists() {
        return text != null || id != null || guid != null || subject != null;
    }

    /** Whether the schema is found by its subject, and may be another one tomorrow. */
    boolean isLatest() {
        return text == null && guid == null && subject != null && (id == null || isPinned);
    }

    /** The subject of the latest schema; null if its strategy needs a message to name it. */
    String subject() {
        return subject;
    }

    /** Why there is no subject. */
    public String whyNoSubject() {
        return whyNoSubject;
    }

    /** The only message that the table wants, or null. */
    String message() {
        return message;
    }

    /** The same, staying with this id of the subject. */
    ReaderSchema pinned(int latestId) {
        Builder builder = toBuilder();
        builder.id = latestId;
        builder.isPinned = true;
        return builder.build();
    }

    Builder toBuilder() {
        return new Builder(this);
    }

    /**
     * The schema, from the registry unless the table brings it.
     *
     * @param fresh whether a pinned latest schema is looked up anew
     * @throws SchemaException if the table's text cannot be linked
     */
    LinkedSchema fetch(SchemaStore store, boolean fresh) throws RegistryException, SchemaException {
        if (text != null) {
            return ofText();
        }
        String under = subject == null ? "" : subject;
        if (id != null && !(isPinned && fresh)) {
            return store.schema(SchemaKey.ofId(id), under);
        }
        if (guid != null) {
            return store.schema(SchemaKey.ofGuid(guid), under);
        }
        return metadata.isEmpty() ? store.latest(subject) : store.latest(subject, metadata);
    }

    /** The schema that the table brings itself; imports are the built-in ones. */
    LinkedSchema ofText() throws SchemaException {
        return new LinkedSchema(WriterSchema.of(text, Map.of()), SchemaOrigin.NONE);
    }

    boolean hasText() {
        return text != null;
    }

    /** The message of records without frame. */
    WriterMessage message(LinkedSchema schema) throws SchemaException {
        return WriterMessage.of(
                schema.schema(), descriptor(schema.schema()).getFullName(), schema.origin());
    }

    private Descriptor descriptor(WriterSchema schema) throws SchemaException {
        if (message != null) {
            return schema.descriptor(message);
        }
        if (indexes != null) {
            return schema.descriptor(indexes);
        }
        if (preferred != null
                && schema.messages().stream()
                        .anyMatch(one -> one.getFullName().equals(preferred))) {
            return schema.descriptor(preferred);
        }
        return schema.descriptor(new int[] {0});
    }

    /** Names the schema in messages. */
    @Override
    public String toString() {
        if (text != null) {
            return "option 'schema'";
        }
        if (id != null && !isPinned) {
            return "schema id " + id;
        }
        if (guid != null) {
            return "schema GUID " + guid;
        }
        return subject == null ? "no subject" : "the latest schema of subject '" + subject + "'";
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ReaderSchema)) {
            return false;
        }
        ReaderSchema that = (ReaderSchema) other;
        return isPinned == that.isPinned
                && Objects.equals(text, that.text)
                && Objects.equals(id, that.id)
                && Objects.equals(guid, that.guid)
                && Objects.equals(subject, that.subject)
                && metadata.equals(that.metadata)
                && Objects.equals(message, that.message)
                && Objects.equals(preferred, that.preferred)
                && Arrays.equals(indexes, that.indexes);
    }

    @Override
    public int hashCode() {
        return Objects.hash(text, id, guid, subject, metadata, message, preferred);
    }

    /** Collects what a table says. */
    public static final class Builder {
        private String text;
        private Integer id;
        private UUID guid;
        private String subject;
        private String whyNoSubject = "";
        private TreeMap<String, String> metadata = new TreeMap<>();
        private boolean isPinned;
        private String message;
        private String preferred;
        private int[] indexes;

        public Builder() {}

        private Builder(ReaderSchema from) {
            text = from.text;
            id = from.id;
            guid = from.guid;
            subject = from.subject;
            whyNoSubject = from.whyNoSubject;
            metadata = from.metadata;
            isPinned = from.isPinned;
            message = from.message;
            preferred = from.preferred;
            indexes = from.indexes;
        }

        /** Schema text or base64 descriptor that stands in for the subject's latest. */
        public Builder text(String given) {
            text = given;
            return this;
        }

        public Builder id(int given) {
            id = given;
            return this;
        }

        public Builder guid(UUID given) {
            guid = given;
            return this;
        }

        public Builder subject(String given) {
            subject = given;
            return this;
        }

        /** There is no subject. */
        public Builder noSubject(String why) {
            whyNoSubject = why;
            return this;
        }

        /** Only a version whose metadata has all of these is the latest. */
        public Builder metadata(Map<String, String> given) {
            metadata = new TreeMap<>(given);
            return this;
        }

        /** The only message that the table wants, by full name. */
        public Builder message(String fullName) {
            message = fullName;
            return this;
        }

        /** The message of records without frame, if the schema has it. */
        public Builder preferred(String fullName) {
            preferred = fullName;
            return this;
        }

        /** The message of records without frame, as message indexes select it. */
        public Builder indexes(int[] given) {
            indexes = given.clone();
            return this;
        }

        public ReaderSchema build() {
            return new ReaderSchema(this);
        }
    }
}
