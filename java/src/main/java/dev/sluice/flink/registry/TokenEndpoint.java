package dev.sluice.flink.registry;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;

import dev.sluice.flink.registry.RegistryException.Kind;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Set;

/**
 * Asks an OAuth token endpoint for a token (C10), over the registry's own transport: the same TLS,
 * proxy and deadline, and none of the registry's headers.
 *
 * <p>Statuses that a second try would only repeat are final, all others and broken connections are
 * not; {@code max.retries} bounds the retries, with pauses of 100 ms to 10 s. No body of the
 * endpoint's is quoted, as it may echo the request.
 */
final class TokenEndpoint {
    private static final Logger LOG = LoggerFactory.getLogger(TokenEndpoint.class);
    private static final int PAUSE_MILLIS = 100;
    private static final int PAUSE_MILLIS_MAX = 10_000;
    private static final Set<Integer> FINAL =
            Set.of(
                    400, 401, 402, 403, 404, 405, 406, 407, 409, 410, 411, 412, 413, 414, 415, 501,
                    505);

    /** The codes of RFC 6749, section 5.2. */
    private static final Set<String> CODES =
            Set.of(
                    "invalid_request",
                    "invalid_client",
                    "invalid_grant",
                    "unauthorized_client",
                    "unsupported_grant_type",
                    "invalid_scope");

    private final OAuthGrant grant;
    private final Transport transport;
    private final RetryPolicy retryPolicy;

    TokenEndpoint(OAuthGrant grant, Transport transport, int retries) {
        this.grant = grant;
        this.transport = transport;
        this.retryPolicy = new RetryPolicy(retries, PAUSE_MILLIS, PAUSE_MILLIS_MAX);
    }

    /**
     * A new token.
     *
     * @throws RegistryException naming the endpoint, if it gave none or one that is malformed
     */
    AccessToken fetch() throws RegistryException, InterruptedException {
        for (int retry = 0; ; retry++) {
            RegistryException failure;
            try {
                HttpResponse<byte[]> answer = transport.send(grant.request());
                int status = answer.statusCode();
                if (status == 200 || status == 201) {
                    return token(answer.body());
                }
                failure = refusal(status, answer.body());
                if (FINAL.contains(status)) {
                    throw failure;
                }
            } catch (RegistryException e) {
                throw e;
            } catch (IOException e) {
                String message = "token endpoint " + grant + " " + ConnectionTrouble.describe(e);
                failure = new RegistryException(Kind.UNREACHABLE, 0, message, e);
            }
            if (retry == retryPolicy.retries()) {
                throw failure;
            }
            LOG.debug("{}; asking again", failure.getMessage());
            retryPolicy.pause(retry);
        }
    }

    private AccessToken token(byte[] body) throws RegistryException {
        try {
            String text = member(body, "access_token");
            if (text == null || text.isBlank()) {
                throw new IOException("it holds no 'access_token'");
            }
            return AccessToken.read(text, grant.scopeClaim(), grant.subjectClaim());
        } catch (JsonProcessingException e) {
            throw useless("it is not JSON"); // the cause may quote a token
        } catch (IOException e) {
            throw useless(e.getMessage());
        }
    }

    private RegistryException useless(String reason) {
        return new RegistryException(
                Kind.UNEXPECTED,
                "the answer of token endpoint " + grant + " is of no use: " + reason);
    }

    private RegistryException refusal(int status, byte[] body) {
        String code = null;
        try {
            code = member(body, "error");
        } catch (IOException e) {
            // then the status says it all
        }
        String detail = code != null && CODES.contains(code) ? " (" + code + ")" : "";
        return new RegistryException(
                kind(status), "token endpoint " + grant + " answered HTTP " + status + detail);
    }

    private static Kind kind(int status) {
        if (status >= 400 && status <= 403) {
            return Kind.REFUSED;
        }
        if (status == 429) {
            return Kind.THROTTLED;
        }
        return status == 408 || status >= 500 ? Kind.UNAVAILABLE : Kind.UNEXPECTED;
    }

    /** A text at the top of a JSON object; null if it is not there. */
    private static String member(byte[] body, String name) throws IOException {
        if (body != null && body.length == 0) {
            throw new IOException("it is empty");
        }
        try (JsonParser json = AnswerJson.open(body)) {
            String found = null;
            while (json.nextToken() != JsonToken.END_OBJECT) {
                boolean wanted = json.currentName().equals(name);
                json.nextToken();
                if (wanted) {
                    found = AnswerJson.text(json);
                } else {
                    json.skipChildren();
                }
            }
            return found;
        }
    }
}
