package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;

/**
 * The registry's words on a failed request: {@code {"error_code": 40403, "message": "..."}}. A body
 * that is not such JSON (a proxy's HTML page) has code 50005 and is not quoted (H2).
 */
final class ErrorAnswer {
    static final int NOT_JSON = 50005;

    private static final int MESSAGE_CHARS_MAX = 300;
    private static final int REASON_CHARS_MAX = 4000;

    private final int status;
    private final int code;
    private final String message;

    private ErrorAnswer(int status, int code, String message) {
        this.status = status;
        this.code = code;
        this.message = message;
    }

    static ErrorAnswer read(Answer answer) {
        return read(answer, MESSAGE_CHARS_MAX);
    }

    /** With a longer message: why a schema is rejected fills some lines. */
    static ErrorAnswer readWhole(Answer answer) {
        return read(answer, REASON_CHARS_MAX);
    }

    private static ErrorAnswer read(Answer answer, int charsMax) {
        try (JsonParser json = AnswerJson.open(answer)) {
            return read(json, answer.status(), charsMax);
        } catch (IOException e) {
            return new ErrorAnswer(answer.status(), NOT_JSON, "the error is not described in JSON");
        }
    }

    private static ErrorAnswer read(JsonParser json, int status, int charsMax) throws IOException {
        int code = 0;
        String message = "no message";
        while (json.nextToken() != JsonToken.END_OBJECT) {
            String name = json.currentName();
            JsonToken value = json.nextToken();
            if (name.equals("error_code") && value == JsonToken.VALUE_NUMBER_INT) {
                code = json.getIntValue();
            } else if (name.equals("message") && value == JsonToken.VALUE_STRING) {
                message = printable(json.getText(), charsMax);
            } else {
                json.skipChildren();
            }
        }
        return new ErrorAnswer(status, code, message);
    }

    /** On one line and of bounded length, as it goes into logs. */
    private static String printable(String message, int charsMax) {
        String line = message.replaceAll("\\p{Cntrl}+", " ").trim();
        return line.length() <= charsMax ? line : line.substring(0, charsMax) + "...";
    }

    int code() {
        return code;
    }

    @Override
    public String toString() {
        return "HTTP " + status + ", error " + code + ": " + message;
    }
}
