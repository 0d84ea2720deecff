package dev.sluice.flink.testregistry;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import javax.net.ssl.SSLContext;

/**
 * An OAuth token endpoint for one client (C10): issues signed JWTs that expire, and tells valid
 * ones. It refuses requests that are not those of a client credentials grant.
 */
public final class TestTokenEndpoint implements AutoCloseable {
    private static final String HEADER = "{\"alg\":\"HS256\",\"typ\":\"JWT\"}";

    private final String clientId;
    private final String clientSecret;
    private final byte[] signingKey = UUID.randomUUID().toString().getBytes(StandardCharsets.UTF_8);
    private final HttpEndpoint endpoint;
    private volatile Duration lifetime = Duration.ofHours(1);
    private volatile String scope;
    private volatile int revoked; // tokens up to this number
    private int issued; // guarded by this

    private TestTokenEndpoint(SSLContext tls, String clientId, String clientSecret)
            throws IOException {
        this.clientId = clientId;
        this.clientSecret = clientSecret;
        endpoint = new HttpEndpoint(tls, false, "application/json", this::answer);
    }

    public static TestTokenEndpoint start(String clientId, String clientSecret) throws IOException {
        return new TestTokenEndpoint(null, clientId, clientSecret);
    }

    public static TestTokenEndpoint startTls(SSLContext tls, String clientId, String clientSecret)
            throws IOException {
        return new TestTokenEndpoint(tls, clientId, clientSecret);
    }

    public String url() {
        return (endpoint.isTls() ? "https" : "http") + "://127.0.0.1:" + endpoint.port() + "/token";
    }

    /** How long tokens live that are issued from now on; an hour unless told otherwise. */
    public void setLifetime(Duration lifetime) {
        this.lifetime = lifetime;
    }

    /** From now on requests have to ask for this scope; by default for none. */
    public void requireScope(String scope) {
        this.scope = scope;
    }

    /** All tokens issued so far stop being valid now, whatever they say about their expiry. */
    public synchronized void revokeAll() {
        revoked = issued;
    }

    /** One fault for each of the next token requests; {@link Fault#body} answers garbage. */
    public void failNext(Fault... next) {
        endpoint.failNext(next);
    }

    /** The fault of every token request from now on; null ends it. */
    public void failAlways(Fault fault) {
        endpoint.failAlways(fault);
    }

    /** All token requests so far, the failed ones too. */
    public List<Request> requests() {
        return endpoint.requests();
    }

    private Object answer(Request request) {
        if (!request.method().equals("POST")) {
            throw Refusal.http(405, "Method Not Allowed");
        }
        String type = request.headers().getFirst("Content-Type");
        if (type == null
                || !type.split(";")[0].trim().equals("application/x-www-form-urlencoded")) {
            throw Refusal.http(415, "Unsupported Media Type");
        }
        String credentials = request.headers().getFirst("Authorization");
        if (!TestRegistry.basic(clientId, clientSecret).equals(credentials)) {
            throw Refusal.http(401, "Unauthorized");
        }
        String wanted = "grant_type=client_credentials";
        if (scope != null) {
            wanted += "&scope=" + URLEncoder.encode(scope, StandardCharsets.UTF_8);
        }
        if (!request.body().equals(wanted)) {
            throw Refusal.http(400, "Bad Request");
        }
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("access_token", issue());
        members.put("token_type", "Bearer");
        members.put("expires_in", lifetime.toSeconds());
        return members;
    }

    /** A new token, as the endpoint would answer it. */
    public synchronized String issue() {
        issued++;
        Instant now = Instant.now();
        Map<String, Object> claims = new LinkedHashMap<>();
        claims.put("jti", issued);
        claims.put("sub", clientId);
        claims.put("note", Secret.WORD); // so that a token that leaks is found
        claims.put("iat", now.getEpochSecond());
        claims.put("exp", now.plus(lifetime).getEpochSecond());
        if (scope != null) {
            claims.put("scope", scope);
        }
        String signed = encoded(HEADER) + "." + encoded(Json.write(claims));
        return signed + "." + signature(signed);
    }

    /** True if this endpoint issued {@code token}, it has not expired and was not revoked. */
    public boolean isValid(String token) {
        int end = token.lastIndexOf('.');
        if (end < 0 || !signature(token.substring(0, end)).equals(token.substring(end + 1))) {
            return false;
        }
        byte[] claims = Base64.getUrlDecoder().decode(token.split("\\.")[1]);
        Map<?, ?> members = (Map<?, ?>) Json.read(new String(claims, StandardCharsets.UTF_8));
        return ((Number) members.get("exp")).longValue() > Instant.now().getEpochSecond()
                && ((Number) members.get("jti")).intValue() > revoked;
    }

    private static String encoded(String text) {
        return encoded(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String signature(String signed) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(signingKey, "HmacSHA256"));
            return encoded(mac.doFinal(signed.getBytes(StandardCharsets.US_ASCII)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
