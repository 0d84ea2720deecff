package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import dev.sluice.flink.schema.SchemaOrigin;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Reads the JSON of the id, GUID and version calls ({@code spec-registry} 5.3). Members it does not
 * know are skipped; a member of the wrong JSON type is an error, not a default.
 */
final class RegisteredSchemaReader {
    private String type = "AVRO";
    private String text;
    private String subject;
    private Integer id;
    private UUID guid;
    private boolean isPlain = true; // neither metadata nor rules: the GUID follows from the rest
    private final List<Reference> references = new ArrayList<>();
    private final List<String> readRules = new ArrayList<>();
    private final List<String> writeRules = new ArrayList<>();

    private RegisteredSchemaReader() {}

    /**
     * @param path that was asked for
     */
    static RegisteredSchema read(Answer answer, String path) throws IOException {
        RegisteredSchemaReader reader = new RegisteredSchemaReader();
        try (JsonParser json = AnswerJson.open(answer)) {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                json.nextToken();
                reader.member(json, name);
            }
        }
        if (reader.text == null) {
            throw new IOException("no member 'schema'");
        }
        return new RegisteredSchema(
                reader.type,
                reader.text,
                reader.subject,
                reader.origin(),
                reader.guid != null,
                reader.references,
                reader.readRules,
                reader.writeRules,
                path);
    }

    private void member(JsonParser json, String name) throws IOException {
        switch (name) {
            case "schema":
                text = AnswerJson.text(json);
                break;
            case "schemaType":
                String given = AnswerJson.text(json);
                type = given == null || given.isEmpty() ? "AVRO" : given;
                break;
            case "subject":
                subject = AnswerJson.text(json);
                break;
            case "id":
                id = json.currentToken() == JsonToken.VALUE_NULL ? null : json.getIntValue();
                break;
            case "guid":
                guid = guid(AnswerJson.text(json));
                break;
            case "references":
                while (entersNext(json)) {
                    references.add(reference(json));
                }
                break;
            case "ruleSet":
                isPlain &= json.currentToken() == JsonToken.VALUE_NULL;
                ruleSet(json);
                break;
            case "metadata":
                isPlain &= json.currentToken() == JsonToken.VALUE_NULL;
                json.skipChildren();
                break;
            default:
                json.skipChildren();
        }
    }

    private static UUID guid(String text) throws IOException {
        try {
            return text == null ? null : UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw new IOException("member 'guid' is no GUID", e);
        }
    }

    /** The registry's own GUID counts; older ones give none. */
    private SchemaOrigin origin() {
        UUID guid = this.guid == null && isPlain ? Digests.guid(text, references) : this.guid;
        if (id != null) {
            return SchemaOrigin.ofId(id, guid);
        }
        return guid == null ? SchemaOrigin.NONE : SchemaOrigin.ofGuid(guid);
    }

    /** Moves to the next object of an array; false at its end. JSON's null is an empty array. */
    private static boolean entersNext(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return false;
        }
        if (json.currentToken() != JsonToken.START_ARRAY
                && json.currentToken() != JsonToken.END_OBJECT) {
            throw new IOException("a member is no array");
        }
        JsonToken token = json.nextToken();
        if (token == JsonToken.END_ARRAY) {
            return false;
        }
        if (token != JsonToken.START_OBJECT) {
            throw new IOException("an array holds something that is no object");
        }
        return true;
    }

    private static Reference reference(JsonParser json) throws IOException {
        String name = null;
        String subject = null;
        Integer version = null;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            JsonToken value = json.nextToken();
            if (member.equals("name")) {
                name = AnswerJson.text(json);
            } else if (member.equals("subject")) {
                subject = AnswerJson.text(json);
            } else if (member.equals("version") && value != JsonToken.VALUE_NULL) {
                version = json.getIntValue();
            } else {
                json.skipChildren();
            }
        }
        return new Reference(name, subject, version);
    }

    /** Migration rules run between two versions, which a reader by writer schema never does. */
    private void ruleSet(JsonParser json) throws IOException {
        if (json.currentToken() == JsonToken.VALUE_NULL) {
            return;
        }
        if (json.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("member 'ruleSet' is no object");
        }
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String kind = json.currentName();
            json.nextToken();
            if (kind.equals("domainRules") || kind.equals("encodingRules")) {
                while (entersNext(json)) {
                    rule(json);
                }
            } else {
                json.skipChildren();
            }
        }
    }

    private void rule(JsonParser json) throws IOException {
        String name = "unnamed";
        String mode = null;
        boolean enabled = true;
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String member = json.currentName();
            json.nextToken();
            if (member.equals("name")) {
                name = AnswerJson.text(json);
            } else if (member.equals("mode")) {
                mode = AnswerJson.text(json);
            } else if (member.equals("disabled")) {
                enabled = json.currentToken() != JsonToken.VALUE_TRUE;
            } else {
                json.skipChildren();
            }
        }
        // A rule of no stated mode may be one for reading: better refused than read as ciphertext.
        if (enabled && (mode == null || mode.equals("READ") || mode.equals("WRITEREAD"))) {
            readRules.add(String.valueOf(name));
        } else if (enabled && mode.equals("WRITE")) {
            writeRules.add(String.valueOf(name));
        }
    }
}
