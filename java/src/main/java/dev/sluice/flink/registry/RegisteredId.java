package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;

/** What a registry says when a schema is registered or looked up: older ones only the id. */
final class RegisteredId {
    private final int id;
    private final Integer version;

    private RegisteredId(int id, Integer version) {
        this.id = id;
        this.version = version;
    }

    static RegisteredId read(Answer answer) throws IOException {
        Integer id = null;
        Integer version = null;
        try (JsonParser json = AnswerJson.open(answer)) {
            while (json.nextToken() != JsonToken.END_OBJECT) {
                String name = json.currentName();
                JsonToken value = json.nextToken();
                if (name.equals("id") && value == JsonToken.VALUE_NUMBER_INT) {
                    id = json.getIntValue();
                } else if (name.equals("version") && value == JsonToken.VALUE_NUMBER_INT) {
                    version = json.getIntValue();
                } else {
                    json.skipChildren();
                }
            }
        }
        if (id == null) {
            throw new IOException("no member 'id'");
        }
        return new RegisteredId(id, version);
    }

    int id() {
        return id;
    }

    /** Null if the registry does not tell. */
    Integer version() {
        return version;
    }
}
