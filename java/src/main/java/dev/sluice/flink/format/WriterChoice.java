package dev.sluice.flink.format;

import dev.sluice.flink.plan.WriterDescriptors;

import java.io.Serializable;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;

/**
 * Which schema of the registry a table writes, and as which of its messages. A value that travels
 * in the job; {@link RegistryWrittenMessage} asks the registry for it.
 */
public final class WriterChoice implements Serializable {
    private static final long serialVersionUID = 1L;

    /** What the schema is known by. */
    public enum By {
        /** An id of the registry. */
        ID,
        /** A GUID of the registry. */
        GUID,
        /** A text that the table brings. */
        TEXT,
        /** The file of a generated class. */
        CLASS,
        /** The subject's latest version with given metadata. */
        LATEST_WITH_METADATA,
        /** The subject's latest version. */
        LATEST,
        /** The table's columns. */
        COLUMNS
    }

    private final By by;
    private final String subject;
    private final int id;
    private final UUID guid;
    private final String text;
    private final byte[] descriptors;
    private final TreeMap<String, String> metadata;
    private final String message;
    private final boolean registers;
    private final boolean normalizes;
    private final boolean skipsKnown;
    private final boolean looksUpReferencesOnly;
    private final boolean qualifiesReferences;
    private final boolean takesLatest;
    private final boolean latestIsStrict;

    private WriterChoice(Builder given) {
        by = given.by;
        subject = given.subject;
        id = given.id;
        guid = given.guid;
        text = given.text;
        descriptors = given.descriptors;
        metadata = given.metadata;
        message = given.message;
        registers = given.registers;
        normalizes = given.normalizes;
        skipsKnown = given.skipsKnown;
        looksUpReferencesOnly = given.looksUpReferencesOnly;
        qualifiesReferences = given.qualifiesReferences;
        takesLatest = given.takesLatest;
        latestIsStrict = given.latestIsStrict;
    }

    public By by() {
        return by;
    }

    public String subject() {
        return subject;
    }

    int id() {
        return id;
    }

    UUID guid() {
        return guid;
    }

    String text() {
        return text;
    }

    byte[] descriptors() {
        return descriptors;
    }

    Map<String, String> metadata() {
        return metadata;
    }

    /** Full name of the message that is written; null for the schema's first one. */
    String message() {
        return message;
    }

    /** Whether a schema that the subject lacks is registered. */
    boolean registers() {
        return registers;
    }

    boolean normalizes() {
        return normalizes;
    }

    boolean skipsKnown() {
        return skipsKnown;
    }

    boolean looksUpReferencesOnly() {
        return looksUpReferencesOnly;
    }

    /** Whether a referenced file's subject is its path with dots (S6). */
    boolean qualifiesReferences() {
        return qualifiesReferences;
    }

    /** Whether the latest version is written where the subject lacks the schema itself. */
    boolean takesLatest() {
        return takesLatest;
    }

    /** Whether that has to be compatible with the schema (C2). */
    boolean latestIsStrict() {
        return latestIsStrict;
    }

    /** Names the schema in messages. */
    @Override
    public String toString() {
        switch (by) {
            case ID:
                return "schema id " + id;
            case GUID:
                return "schema GUID " + guid;
            case TEXT:
                return "the schema of option 'schema'";
            case CLASS:
                return "the schema of option 'message-class'";
            case LATEST_WITH_METADATA:
                return "the latest schema of subject '" + subject + "' with metadata " + metadata;
            case LATEST:
                return "the latest schema of subject '" + subject + "'";
            default:
                return "the schema derived from the columns";
        }
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof WriterChoice)) {
            return false;
        }
        WriterChoice that = (WriterChoice) other;
        return by == that.by
                && subject.equals(that.subject)
                && id == that.id
                && Objects.equals(guid, that.guid)
                && Objects.equals(text, that.text)
                && Arrays.equals(descriptors, that.descriptors)
                && metadata.equals(that.metadata)
                && Objects.equals(message, that.message)
                && registers == that.registers
                && normalizes == that.normalizes
                && skipsKnown == that.skipsKnown
                && looksUpReferencesOnly == that.looksUpReferencesOnly
                && qualifiesReferences == that.qualifiesReferences
                && takesLatest == that.takesLatest
                && latestIsStrict == that.latestIsStrict;
    }

    @Override
    public int hashCode() {
        return Objects.hash(by, subject, id, guid, text, metadata, message, registers);
    }

    /** Gathers what the options say. */
    public static final class Builder {
        private final By by;
        private String subject;
        private int id = -1;
        private UUID guid;
        private String text;
        private byte[] descriptors;
        private TreeMap<String, String> metadata = new TreeMap<>();
        private String message;
        private boolean registers;
        private boolean normalizes = true;
        private boolean skipsKnown = true;
        private boolean looksUpReferencesOnly;
        private boolean qualifiesReferences;
        private boolean takesLatest;
        private boolean latestIsStrict = true;

        public Builder(By by) {
            this.by = by;
        }

        public Builder subject(String value) {
            subject = value;
            return this;
        }

        public Builder id(int value) {
            id = value;
            return this;
        }

        public Builder guid(UUID value) {
            guid = value;
            return this;
        }

        /** Of {@link By#TEXT} and {@link By#COLUMNS}. */
        public Builder text(String value) {
            text = value;
            return this;
        }

        /** Of {@link By#CLASS}. */
        public Builder descriptors(WriterDescriptors value) {
            descriptors = value.toByteArray();
            return this;
        }

        public Builder metadata(Map<String, String> value) {
            metadata = new TreeMap<>(value);
            return this;
        }

        /**
         * @param fullName null for the schema's first message
         */
        public Builder message(String fullName) {
            message = fullName;
            return this;
        }

        public Builder registers(boolean value) {
            registers = value;
            return this;
        }

        public Builder normalizes(boolean value) {
            normalizes = value;
            return this;
        }

        public Builder references(boolean skipKnown, boolean lookUpOnly, boolean qualified) {
            skipsKnown = skipKnown;
            looksUpReferencesOnly = lookUpOnly;
            qualifiesReferences = qualified;
            return this;
        }

        public Builder latest(boolean takes, boolean isStrict) {
            takesLatest = takes;
            latestIsStrict = isStrict;
            return this;
        }

        public WriterChoice build() {
            return new WriterChoice(this);
        }
    }
}
