package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

/** A schema on its way to the registry: text and direct references (5.3). */
final class SubmittedSchema {
    private static final JsonFactory JSON = new JsonFactory();

    private final String name;
    private final String text;
    private final List<Reference> references;
    private final boolean normalizes;

    /**
     * @param name names it in messages
     * @param normalizes whether the registry is asked to bring it into normal form
     */
    SubmittedSchema(String name, String text, List<Reference> references, boolean normalizes) {
        this.name = name;
        this.text = text;
        this.references = List.copyOf(references);
        this.normalizes = normalizes;
    }

    String name() {
        return name;
    }

    boolean normalizes() {
        return normalizes;
    }

    /** The request's body. Empty members are left out (H4). */
    byte[] json() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (JsonGenerator json = JSON.createGenerator(out)) {
            json.writeStartObject();
            json.writeStringField("schemaType", "PROTOBUF");
            if (!references.isEmpty()) {
                json.writeArrayFieldStart("references");
                for (Reference reference : references) {
                    json.writeStartObject();
                    json.writeStringField("name", reference.name());
                    json.writeStringField("subject", reference.subject());
                    json.writeNumberField("version", reference.version());
                    json.writeEndObject();
                }
                json.writeEndArray();
            }
            json.writeStringField("schema", text);
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // memory does not fail
        }
        return out.toByteArray();
    }
}
