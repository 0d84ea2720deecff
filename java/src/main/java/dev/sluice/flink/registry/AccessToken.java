package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

import java.io.IOException;
import java.util.Base64;
import java.util.regex.Pattern;

/**
 * A JWT and the times in it, in milliseconds of the epoch.
 *
 * <p>Its form is checked (C11): three parts, an expiry, a subject, a scope that is text or a list
 * of texts if there is one. Its signature is for the registry to check. Errors say what is wrong
 * and quote nothing.
 */
final class AccessToken {
    private static final JsonFactory JSON = new JsonFactory();
    private static final Pattern FORM = Pattern.compile("[\\w-]+\\.[\\w-]+\\.[\\w-]+");
    private static final double SECONDS_MAX = 253_402_300_799d; // the end of the year 9999

    private final String text;
    private final long startMillis; // 0 if the token does not tell
    private final long expiryMillis;

    AccessToken(String text, long startMillis, long expiryMillis) {
        this.text = text;
        this.startMillis = startMillis;
        this.expiryMillis = expiryMillis;
    }

    /**
     * Reads the claims of {@code text}.
     *
     * @throws IOException saying what is wrong with it
     */
    static AccessToken read(String text, String scopeClaim, String subjectClaim)
            throws IOException {
        String trimmed = text.trim();
        if (!FORM.matcher(trimmed).matches()) {
            throw new IOException("the token is not a JWT of three parts");
        }
        Claims claims = new Claims();
        try {
            byte[] json = Base64.getUrlDecoder().decode(trimmed.split("\\.")[1]);
            claims.read(json, scopeClaim, subjectClaim);
        } catch (com.fasterxml.jackson.core.JsonProcessingException | IllegalArgumentException e) {
            throw new IOException("the token's claims are not JSON"); // the cause may quote them
        }
        if (claims.expiryMillis == 0) {
            throw new IOException("the token has no expiry (claim 'exp')");
        }
        if (!claims.hasSubject) {
            throw new IOException("the token has no subject (claim '" + subjectClaim + "')");
        }
        return new AccessToken(trimmed, claims.startMillis, claims.expiryMillis);
    }

    String text() {
        return text;
    }

    /** When it was issued; 0 if it does not tell. */
    long startMillis() {
        return startMillis;
    }

    long expiryMillis() {
        return expiryMillis;
    }

    @Override
    public String toString() {
        return "AccessToken{expiryMillis=" + expiryMillis + "}";
    }

    /** The members that count; one claim may play two parts. */
    private static final class Claims {
        private long startMillis;
        private long expiryMillis;
        private boolean hasSubject;

        void read(byte[] object, String scopeClaim, String subjectClaim) throws IOException {
            try (JsonParser json = JSON.createParser(object)) {
                if (json.nextToken() != JsonToken.START_OBJECT) {
                    throw new IOException("the token's claims are not a JSON object");
                }
                while (json.nextToken() != JsonToken.END_OBJECT) {
                    String name = json.currentName();
                    json.nextToken();
                    if (name.equals("exp")) {
                        expiryMillis = millis(json, name);
                    } else if (name.equals("iat")) {
                        startMillis = millis(json, name);
                    }
                    if (name.equals(subjectClaim)) {
                        hasSubject =
                                json.currentToken() == JsonToken.VALUE_STRING
                                        && !json.getText().isBlank();
                    }
                    if (name.equals(scopeClaim)) {
                        requireScope(json, name);
                    } else {
                        json.skipChildren();
                    }
                }
            }
        }

        /** NumericDate: seconds, which may have a fraction. */
        private static long millis(JsonParser json, String claim) throws IOException {
            if (json.currentToken() == JsonToken.VALUE_NULL) {
                return 0;
            }
            double seconds = json.currentToken().isNumeric() ? json.getDoubleValue() : 0;
            if (seconds > 0 && seconds <= SECONDS_MAX) {
                return (long) (seconds * 1000);
            }
            throw new IOException("the token's claim '" + claim + "' is not a time");
        }

        private static void requireScope(JsonParser json, String claim) throws IOException {
            JsonToken token = json.currentToken();
            boolean valid = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NULL;
            if (token == JsonToken.START_ARRAY) {
                valid = true;
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    valid &= json.currentToken() == JsonToken.VALUE_STRING;
                    json.skipChildren();
                }
            }
            if (!valid) {
                throw new IOException(
                        "the token's claim '" + claim + "' is neither text nor a list of texts");
            }
        }
    }
}
