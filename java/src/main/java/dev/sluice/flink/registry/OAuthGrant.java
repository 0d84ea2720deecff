package dev.sluice.flink.registry;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/**
 * What {@code OAUTHBEARER} asks a token endpoint for, and what it expects of the token (C10, C11).
 *
 * <p>Holds the client's secret in the header of the request only; no message quotes a value.
 */
final class OAuthGrant {
    private static final String PREFIX = "bearer.auth.";
    private static final int BUFFER_SECONDS_MAX = 3600;

    private final URI endpoint;
    private final String authorization;
    private final String body;
    private final String scopeClaim;
    private final String subjectClaim;
    private final int bufferSeconds;

    private OAuthGrant(ClientProperties properties) {
        endpoint = endpoint(require(properties, "issuer.endpoint.url"));
        String client = require(properties, "client.id");
        String secret = require(properties, "client.secret");
        byte[] both = (client + ":" + secret).getBytes(StandardCharsets.UTF_8);
        authorization = "Basic " + Base64.getEncoder().encodeToString(both);
        String scope = properties.find(PREFIX + "scope");
        String grant = "grant_type=client_credentials";
        body =
                scope == null
                        ? grant
                        : grant
                                + "&scope="
                                + URLEncoder.encode(scope.trim(), StandardCharsets.UTF_8);
        scopeClaim = find(properties, "scope.claim.name");
        subjectClaim = find(properties, "sub.claim.name");
        String buffer = PREFIX + "cache.expiry.buffer.seconds";
        bufferSeconds = properties.number(buffer, 0);
        if (bufferSeconds > BUFFER_SECONDS_MAX) {
            throw new IllegalArgumentException(
                    "registry property '" + buffer + "' must be at most " + BUFFER_SECONDS_MAX);
        }
    }

    /**
     * The grant of these properties.
     *
     * @throws IllegalArgumentException naming the property that is missing or wrong
     */
    static OAuthGrant of(ClientProperties properties) {
        return new OAuthGrant(properties);
    }

    private static String require(ClientProperties properties, String name) {
        String value = properties.find(PREFIX + name);
        if (value == null) {
            throw new IllegalArgumentException(
                    "registry property '"
                            + PREFIX
                            + name
                            + "' is required by 'bearer.auth.credentials.source' = OAUTHBEARER");
        }
        return value.trim();
    }

    private static String find(ClientProperties properties, String name) {
        String value = properties.find(PREFIX + name);
        return value == null ? PropertyNames.defaultOf(PREFIX + name) : value.trim();
    }

    /** An address in the form that the HTTP client takes; a password in it would not be sent. */
    private static URI endpoint(String url) {
        try {
            URI uri = new URI(url);
            HttpRequest.newBuilder(uri); // http or https, and a host
            if (uri.getRawUserInfo() == null && uri.getRawFragment() == null) {
                return uri;
            }
        } catch (URISyntaxException | IllegalArgumentException e) {
            // refused below; the cause would quote it
        }
        throw new IllegalArgumentException(
                "registry property 'bearer.auth.issuer.endpoint.url' must be an http or https URL"
                        + " without user info");
    }

    /** The request for a token, without a deadline. */
    HttpRequest.Builder request() {
        return HttpRequest.newBuilder(endpoint)
                .header("Authorization", authorization)
                .header("Accept", "application/json")
                .header("Cache-Control", "no-cache")
                .header("Content-Type", "application/x-www-form-urlencoded")
                .POST(HttpRequest.BodyPublishers.ofString(body));
    }

    /** The claim of a token that holds its scope. */
    String scopeClaim() {
        return scopeClaim;
    }

    /** The claim of a token that holds its subject. */
    String subjectClaim() {
        return subjectClaim;
    }

    /** How long before its expiry a token is replaced at the latest. */
    int bufferSeconds() {
        return bufferSeconds;
    }

    /** The endpoint's address without its query, which may hold a key. */
    @Override
    public String toString() {
        return endpoint.getScheme() + "://" + endpoint.getRawAuthority() + endpoint.getRawPath();
    }
}
