package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaOrigin;

import java.util.List;

/** One schema as the registry gave it, not linked: its text, its type, its direct references. */
final class RegisteredSchema {
    private final String type;
    private final String text;
    private final String subject;
    private final SchemaOrigin origin;
    private final boolean isGuidTold;
    private final List<Reference> references;
    private final List<String> readRules;
    private final List<String> writeRules;
    private final String path; // that was asked for

    RegisteredSchema(
            String type,
            String text,
            String subject,
            SchemaOrigin origin,
            boolean isGuidTold,
            List<Reference> references,
            List<String> readRules,
            List<String> writeRules,
            String path) {
        this.type = type;
        this.text = text;
        this.subject = subject;
        this.origin = origin;
        this.isGuidTold = isGuidTold;
        this.references = List.copyOf(references);
        this.readRules = List.copyOf(readRules);
        this.writeRules = List.copyOf(writeRules);
        this.path = path;
    }

    /** {@code PROTOBUF}, {@code JSON} or, also when the registry names none, {@code AVRO} (H4). */
    String type() {
        return type;
    }

    String text() {
        return text;
    }

    /** The subject it was found under, or null if the registry does not say. */
    String subject() {
        return subject;
    }

    /** Id and GUID, as far as the answer holds them or they follow from it (W17). */
    SchemaOrigin origin() {
        return origin;
    }

    /** Whether the answer held the GUID: only then can schemas be asked for by it. */
    boolean isGuidTold() {
        return isGuidTold;
    }

    List<Reference> references() {
        return references;
    }

    /** Names of the enabled rules that a reader would have to run (R7). */
    List<String> readRules() {
        return readRules;
    }

    /** Names of the enabled rules that only a writer would have to run. */
    List<String> writeRules() {
        return writeRules;
    }

    /** Path and query of the request that brought it. */
    String path() {
        return path;
    }
}
