package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;

/** Opens the JSON object in an answer. Streaming only: the jar holds no data binding. */
final class AnswerJson {
    private static final JsonFactory JSON = new JsonFactory();

    private AnswerJson() {}

    /** A parser that stands behind the opening brace. */
    static JsonParser open(Answer answer) throws IOException {
        return open(answer.body());
    }

    /** The same; {@code body} is null if it was longer than the limit. */
    static JsonParser open(byte[] body) throws IOException {
        if (body == null) {
            throw new IOException("longer than " + Transport.BODY_BYTES_MAX + " bytes");
        }
        JsonParser json = JSON.createParser(body);
        if (json.nextToken() != JsonToken.START_OBJECT) {
            json.close();
            throw new IOException("not a JSON object");
        }
        return json;
    }

    /** The current value as text; null for JSON's null. */
    static String text(JsonParser json) throws IOException {
        JsonToken token = json.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return null;
        }
        if (token != JsonToken.VALUE_STRING) {
            throw new IOException("member '" + json.currentName() + "' is not a string");
        }
        return json.getText();
    }
}
