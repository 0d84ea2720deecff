package dev.sluice.flink.testregistry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;

import javax.net.ssl.SSLContext;

/**
 * A registry on a free loopback port, with TLS if wanted. Keeps every request that came in, answers
 * them properly unless a {@link Fault} is due, and asks for an {@code Authorization} header if told
 * so. A request through a plain HTTP proxy may be sent to it as to the proxy: it serves all hosts.
 */
public final class TestRegistry implements AutoCloseable {
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final Subjects subjects = new Subjects();
    private final Routes routes = new Routes(subjects);
    private final HttpEndpoint endpoint;
    private volatile Predicate<String> authorization = header -> true;

    private TestRegistry(SSLContext tls, boolean wantsClientCertificate) throws IOException {
        endpoint = new HttpEndpoint(tls, wantsClientCertificate, CONTENT_TYPE, this::answer);
    }

    public static TestRegistry start() throws IOException {
        return new TestRegistry(null, false);
    }

    /**
     * A registry behind https. Its host is {@code 127.0.0.1} in {@link #url()}; a certificate for
     * {@code localhost} only is a wrong one for that URL.
     *
     * @param tls with the server's key, and with the trusted clients for mutual TLS
     * @param wantsClientCertificate true for mutual TLS: a client without one is turned away
     */
    public static TestRegistry startTls(SSLContext tls, boolean wantsClientCertificate)
            throws IOException {
        return new TestRegistry(tls, wantsClientCertificate);
    }

    public int port() {
        return endpoint.port();
    }

    public String url() {
        return (endpoint.isTls() ? "https" : "http") + "://127.0.0.1:" + port();
    }

    /** Registers as {@code POST /subjects/{subject}/versions} does; the id. */
    public int register(String subject, Submission submission) {
        return subjects.register(subject, submission).id;
    }

    /** The next version of {@code subject} under an id of the caller's choice, not validated. */
    public void put(String subject, int id, Submission submission) {
        subjects.put(subject, id, submission);
    }

    /** Soft-deletes one version. */
    public void delete(String subject, int version) {
        subjects.delete(subject, Integer.toString(version));
    }

    /** From now on answers hold no GUID, as those of older registries. */
    public void withholdGuids() {
        routes.withholdGuids();
    }

    /** One fault for each of the next requests. */
    public void failNext(Fault... next) {
        endpoint.failNext(next);
    }

    /** The fault of every request from now on; null ends it. */
    public void failAlways(Fault fault) {
        endpoint.failAlways(fault);
    }

    /** From now on requests with another {@code Authorization} header get 401. */
    public void requireAuthorization(String header) {
        authorization = header::equals;
    }

    /** From now on requests of another user get 401. */
    public void requireBasic(String user, String password) {
        requireAuthorization(basic(user, password));
    }

    /** From now on requests with another token get 401. */
    public void requireBearer(String token) {
        requireAuthorization("Bearer " + token);
    }

    /** From now on requests without a valid token of that endpoint get 401. */
    public void requireTokensOf(TestTokenEndpoint tokens) {
        authorization =
                header ->
                        header != null
                                && header.startsWith("Bearer ")
                                && tokens.isValid(header.substring("Bearer ".length()));
    }

    static String basic(String user, String password) {
        byte[] userInfo = (user + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(userInfo);
    }

    /** All requests so far, oldest first. */
    public List<Request> requests() {
        return endpoint.requests();
    }

    /** Path and query of all requests so far. */
    public List<String> targets() {
        return requests().stream().map(Request::target).toList();
    }

    private Object answer(Request request) {
        if (!authorization.test(request.headers().getFirst("Authorization"))) {
            throw Refusal.unauthorized();
        }
        return routes.answer(request);
    }

    @Override
    public void close() {
        endpoint.close();
    }
}
