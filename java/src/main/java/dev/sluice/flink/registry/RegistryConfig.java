package dev.sluice.flink.registry;

import java.io.Serializable;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * Where the registry is, how patiently and as whom it is asked: a list of URLs and client
 * properties under the names of Confluent's client, bare or with the prefix {@code
 * schema.registry.}.
 *
 * <p>A value: two configs are equal if URLs (with user info) and properties are, whatever spelling
 * the properties had. It travels inside serialized jobs and therefore carries its secrets; {@link
 * #toString()} shows none of them, nor does any error raised here.
 *
 * <p>What is understood: {@code url.randomize}, {@code http.connect.timeout.ms}, {@code
 * http.read.timeout.ms} (the deadline of one attempt, from connecting to the last byte of the
 * body), {@code max.retries}, {@code retries.wait.ms}, {@code retries.max.wait.ms}, {@code
 * request.header.<Name>}, {@code proxy.host} and {@code proxy.port}, basic authentication from
 * {@code USER_INFO}, {@code URL} or {@code SASL_INHERIT}, bearer authentication from {@code
 * STATIC_TOKEN} or {@code OAUTHBEARER}, and TLS ({@code ssl.*}, with the prefix only; see {@code
 * Tls}). Other settings of authentication, TLS and proxies are refused by name; properties for
 * other parts of the format are left out.
 */
public final class RegistryConfig implements Serializable {
    private static final long serialVersionUID = 1L;

    private static final long PLANNING_MILLIS_MAX = 5_000;

    private final String urls;
    private final TreeMap<String, String> properties; // bare names

    // Derived from the two above; a copy that comes out of a stream derives them anew.
    private final transient List<RegistryUrl> urlList;
    private final transient Credentials credentials;
    private final transient RetryPolicy retryPolicy;
    private final transient Map<String, String> requestHeaders;
    private final transient boolean startsAnywhere;
    private final transient ClientProperties client;
    private final transient Duration connectTimeout;
    private final transient Duration attemptTimeout;

    private RegistryConfig(String urls, ClientProperties client) {
        this.urls = urls;
        this.properties = new TreeMap<>(client.asMap());
        this.client = client;
        this.urlList = RegistryUrl.list(urls);
        this.credentials = Credentials.of(client);
        this.retryPolicy = RetryPolicy.of(client);
        this.requestHeaders = requestHeaders(client);
        this.startsAnywhere = client.flag("url.randomize");
        this.connectTimeout = Duration.ofMillis(client.number("http.connect.timeout.ms", 1));
        this.attemptTimeout = Duration.ofMillis(client.number("http.read.timeout.ms", 1));
        schemasMax(); // wrong numbers are told while the table is planned
        missingCacheSize();
        missingLifetime();
        proxy();
        tlsParameters();
        for (RegistryUrl url : urlList) {
            String authorization = credentials.authorization(url);
            if (authorization != null) {
                requireSendable("Authorization", authorization, "the credentials");
            }
        }
    }

    /**
     * A config for the comma separated {@code urls} and the properties that the user gave.
     *
     * @throws IllegalArgumentException if a URL is malformed or a property is wrong, contradictory
     *     or not supported yet; the message names it and shows no secret
     */
    public static RegistryConfig of(String urls, Map<String, String> properties) {
        RegistryConfig config = new RegistryConfig(urls, ClientProperties.of(properties));
        ClientProperties.warnOfUnknown(properties);
        return config;
    }

    /**
     * The TLS of connections; null for the JVM's own. Reads files.
     *
     * @throws IllegalArgumentException if a store cannot be loaded, naming property and file
     */
    SSLContext tls() {
        return Tls.context(client);
    }

    /** Versions and cipher suites of connections; null for those of the context. */
    SSLParameters tlsParameters() {
        return Tls.parameters(client);
    }

    /** The HTTP proxy to go through; null for none. */
    InetSocketAddress proxy() {
        String host = client.find("proxy.host");
        int port = client.number("proxy.port", -1);
        return host == null || port <= 0 ? null : new InetSocketAddress(host.trim(), port);
    }

    private static Map<String, String> requestHeaders(ClientProperties client) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        if (client.find("bearer.auth.logical.cluster") != null) {
            headers.put("target-sr-cluster", client.find("bearer.auth.logical.cluster"));
        }
        if (client.find("bearer.auth.identity.pool.id") != null) {
            headers.put("Confluent-Identity-Pool-Id", client.find("bearer.auth.identity.pool.id"));
        }
        client.forEachRequestHeader(headers::put);
        headers.forEach((name, value) -> requireSendable(name, value, "header '" + name + "'"));
        return headers;
    }

    /** The HTTP client refuses some headers, but only on sending, and quotes their values. */
    private static void requireSendable(String name, String value, String what) {
        try {
            HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "registry properties: " + what + " cannot be sent as an HTTP header");
        }
    }

    /**
     * The same registry, asked briefly: without retries, and for at most 5 seconds. For questions
     * that can go without an answer, asked while somebody waits for a statement to be planned.
     */
    public RegistryConfig forPlanning() {
        Map<String, String> brief = new TreeMap<>(properties);
        brief.put("max.retries", "0");
        brief.put("http.connect.timeout.ms", atMost(PLANNING_MILLIS_MAX, connectTimeout));
        brief.put("http.read.timeout.ms", atMost(PLANNING_MILLIS_MAX, attemptTimeout));
        return new RegistryConfig(urls, ClientProperties.ofBare(brief));
    }

    private static String atMost(long millis, Duration given) {
        return String.valueOf(Math.min(millis, given.toMillis()));
    }

    List<RegistryUrl> urlList() {
        return urlList;
    }

    Credentials credentials() {
        return credentials;
    }

    RetryPolicy retryPolicy() {
        return retryPolicy;
    }

    /** Extra headers of every request; names compare without case. */
    Map<String, String> requestHeaders() {
        return requestHeaders;
    }

    /** True if the first URL to ask is drawn at random. */
    boolean startsAnywhere() {
        return startsAnywhere;
    }

    Duration connectTimeout() {
        return connectTimeout;
    }

    Duration attemptTimeout() {
        return attemptTimeout;
    }

    /** How many schemas are kept, and how many referenced files. */
    int schemasMax() {
        return client.number("max.schemas.per.subject", 1);
    }

    /** How many failures that concern the record are remembered. */
    int missingCacheSize() {
        return client.number("missing.cache.size", 0);
    }

    /** How long a failure that concerns the record is remembered; zero for not at all. */
    Duration missingLifetime() {
        return Duration.ofSeconds(client.number("missing.id.cache.ttl.sec", 0));
    }

    /**
     * True if requests carry anything that is not for every server to see: credentials, headers, or
     * the certificate that says who we are.
     */
    boolean isConfidential() {
        return credentials.isPresent() || !requestHeaders.isEmpty() || Tls.showsCertificate(client);
    }

    /**
     * All that tells two configs apart, secrets included: to be compared or hashed, never shown.
     */
    List<String> identity() {
        List<String> identity = new ArrayList<>();
        for (RegistryUrl url : urlList) {
            identity.add(url.toString());
            identity.add(url.userInfo() == null ? "" : url.userInfo());
        }
        properties.forEach(
                (name, value) -> {
                    identity.add(name);
                    identity.add(value);
                });
        return identity;
    }

    private Object readResolve() {
        return new RegistryConfig(urls, ClientProperties.ofBare(properties));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegistryConfig
                && identity().equals(((RegistryConfig) other).identity());
    }

    @Override
    public int hashCode() {
        return identity().hashCode();
    }

    /** URLs without user info, the source of credentials, the names of properties. */
    @Override
    public String toString() {
        return "RegistryConfig{urls="
                + urlList
                + ", credentials="
                + credentials
                + ", properties="
                + client.asMap().keySet()
                + "}";
    }
}
