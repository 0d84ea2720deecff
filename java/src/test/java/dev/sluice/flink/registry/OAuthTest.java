package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.KeyStores;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;
import dev.sluice.flink.testregistry.TestTokenEndpoint;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** {@code OAUTHBEARER} against the strict registry and a token endpoint (C9 to C12). */
@Timeout(60)
class OAuthTest {
    private static final String CLIENT = "flink";
    private static final String SECRET = "s3cret+/=: 1";

    private final Map<String, String> properties = new HashMap<>();
    private TestRegistry registry;
    private TestTokenEndpoint tokens;
    private int next;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        tokens = TestTokenEndpoint.start(CLIENT, SECRET);
        registry.requireTokensOf(tokens);
        properties.put("max.retries", "2");
        properties.put("retries.wait.ms", "1");
        properties.put("http.read.timeout.ms", "5000");
        properties.put("bearer.auth.credentials.source", "OAUTHBEARER");
        properties.put("schema.registry.bearer.auth.issuer.endpoint.url", tokens.url());
        properties.put("bearer.auth.client.id", " " + CLIENT);
        properties.put("bearer.auth.client.secret", SECRET + " ");
    }

    @AfterEach
    void stop() {
        registry.close();
        tokens.close();
    }

    private SchemaStore open() {
        return SchemaStore.open(RegistryConfig.of(registry.url(), properties));
    }

    /** Asks for a schema that no cache holds. */
    private void ask(SchemaStore store) throws RegistryException {
        String text = "syntax = \"proto3\"; message M" + next++ + " {}";
        int id = registry.register("s" + next, Submission.protobuf(text));
        assertThat(store.schema(SchemaKey.ofId(id), "").schema().messages()).hasSize(1);
    }

    private RegistryException refusal() {
        try (SchemaStore store = open()) {
            return catchThrowableOfType(RegistryException.class, () -> ask(store));
        }
    }

    private void assertNoSecret(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        assertThat(trace.toString()).doesNotContain("s3cret").doesNotContain("eyJ");
    }

    @Test
    void oneTokenServesManyRequests() throws Exception {
        try (SchemaStore store = open()) {
            ask(store);
            ask(store);
        }
        assertThat(tokens.requests()).hasSize(1);
        var headers = tokens.requests().get(0).headers();
        assertThat(headers.getFirst("Accept")).isEqualTo("application/json");
        assertThat(headers.getFirst("Cache-Control")).isEqualTo("no-cache");
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void aScopeIsAskedFor() throws Exception {
        tokens.requireScope("read write/ü&all");
        properties.put("bearer.auth.scope", " read write/ü&all ");
        try (SchemaStore store = open()) {
            ask(store);
        }
    }

    @Test
    void headersForTheRegistryDoNotReachTheTokenEndpoint() throws Exception {
        properties.put("request.header.X-Key", "s3cret");
        properties.put("bearer.auth.logical.cluster", "lsrc-1");
        try (SchemaStore store = open()) {
            ask(store);
        }
        assertThat(tokens.requests().get(0).headers())
                .doesNotContainKeys("X-Key", "Target-sr-cluster");
        assertThat(registry.requests().get(0).headers()).containsKeys("X-Key", "Target-sr-cluster");
    }

    @Test
    void aHeaderOfTheUsersOwnNeedsNoToken() throws Exception {
        properties.put("request.header.Authorization", "Bearer mine");
        registry.requireBearer("mine");
        try (SchemaStore store = open()) {
            ask(store);
        }
        assertThat(tokens.requests()).isEmpty();
    }

    @Test
    void aTokenThatExpiresInMidJobIsReplaced() throws Exception {
        tokens.setLifetime(Duration.ofSeconds(2));
        properties.put("bearer.auth.cache.expiry.buffer.seconds", "0");
        try (SchemaStore store = open()) {
            ask(store);
            Thread.sleep(2100);
            ask(store);
        }
        assertThat(tokens.requests()).hasSize(2);
        assertThat(registry.requests()).hasSize(2); // none was refused
    }

    @Test
    void aTokenThatIsRevokedInMidJobIsReplacedOnce() throws Exception {
        try (SchemaStore store = open()) {
            ask(store);
            tokens.revokeAll();
            ask(store);
            assertThat(tokens.requests()).hasSize(2);
            assertThat(registry.requests()).hasSize(3);

            registry.requireBearer("no token of this endpoint");
            RegistryException refusal =
                    catchThrowableOfType(RegistryException.class, () -> ask(store));
            assertThat(refusal.kind()).isEqualTo(Kind.REFUSED);
            assertThat(tokens.requests()).hasSize(3);
            assertThat(registry.requests()).hasSize(5);
            assertNoSecret(refusal);
        }
    }

    @Test
    void aNewTokenThatIsRefusedIsNotReplaced() {
        registry.requireBearer("no token of this endpoint");
        assertThat(refusal().kind()).isEqualTo(Kind.REFUSED);
        assertThat(tokens.requests()).hasSize(1);
        assertThat(registry.requests()).hasSize(1);
    }

    @Test
    void anEndpointInTroubleIsAskedAgain() throws Exception {
        tokens.failNext(Fault.error(503, 50301), Fault.cut());
        try (SchemaStore store = open()) {
            ask(store);
        }
        assertThat(tokens.requests()).hasSize(3);
    }

    @ParameterizedTest
    @CsvSource({
        "500, UNAVAILABLE, 3",
        "408, UNAVAILABLE, 3",
        "429, THROTTLED, 3",
        "302, UNEXPECTED, 3",
        "400, REFUSED, 1",
        "401, REFUSED, 1",
        "403, REFUSED, 1",
        "404, UNEXPECTED, 1",
        "501, UNAVAILABLE, 1"
    })
    void anEndpointThatRefusesEndsTheRequest(int status, Kind kind, int attempts) {
        tokens.failAlways(
                Fault.body(status, "{\"error\":\"invalid_client\",\"hint\":\"s3cret eyJ\"}"));
        RegistryException refusal = refusal();
        assertThat(refusal.kind()).isEqualTo(kind);
        assertThat(refusal.kind().concernsRecord()).isFalse();
        assertThat(refusal)
                .hasMessage(
                        "token endpoint "
                                + tokens.url()
                                + " answered HTTP "
                                + status
                                + " (invalid_client)");
        assertThat(tokens.requests()).hasSize(attempts);
        assertThat(registry.requests()).isEmpty();
        assertNoSecret(refusal);
    }

    @Test
    void onlyCodesOfTheStandardAreTold() {
        tokens.failAlways(Fault.body(401, "{\"error\":\"s3cret\"}"));
        assertThat(refusal()).hasMessageEndingWith("answered HTTP 401");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            quoteCharacter = '|',
            delimiter = ';',
            value = {
                "||; empty",
                "s3cret; not JSON",
                "{\"access_token\":\"s3cret; not JSON",
                "[\"s3cret\"]; not a JSON object",
                "{\"token\":\"s3cret\"}; no 'access_token'",
                "{\"access_token\":\" \"}; no 'access_token'",
                "{\"access_token\":[\"s3cret\"]}; not a string",
                "{\"access_token\":\"s3cret\"}; not a JWT",
            })
    void anAnswerWithoutATokenIsFinal(String body, String reason) {
        tokens.failAlways(Fault.body(200, body));
        RegistryException refusal = refusal();
        assertThat(refusal.kind()).isEqualTo(Kind.UNEXPECTED);
        assertThat(refusal).hasMessageContaining(tokens.url()).hasMessageContaining(reason);
        assertThat(tokens.requests()).hasSize(1);
        assertThat(registry.requests()).isEmpty();
        assertNoSecret(refusal);
    }

    @Test
    void anEndpointThatIsDownIsUnreachable() throws Exception {
        String url;
        try (ServerSocket socket = new ServerSocket(0)) {
            url = "http://127.0.0.1:" + socket.getLocalPort() + "/token";
        }
        properties.put("schema.registry.bearer.auth.issuer.endpoint.url", url + "?key=s3cret");
        RegistryException refusal = refusal();
        assertThat(refusal.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(refusal).hasMessageStartingWith("token endpoint " + url + " cannot be");
        assertNoSecret(refusal);
    }

    @Test
    void anAnswerThatStallsMeetsTheDeadline() {
        properties.put("max.retries", "0");
        properties.put("http.read.timeout.ms", "300");
        tokens.failAlways(Fault.stalledBody());
        RegistryException refusal = refusal();
        assertThat(refusal.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(refusal).hasMessageContaining("in time");
    }

    @Test
    void theEndpointSharesTheTlsOfTheRegistry(@TempDir Path folder) throws Exception {
        KeyStores stores = new KeyStores(folder);
        Path key = stores.key("tokens", "ip:127.0.0.1");
        try (TestTokenEndpoint secure =
                TestTokenEndpoint.startTls(KeyStores.server(key, null), CLIENT, SECRET)) {
            registry.requireTokensOf(secure);
            properties.put("max.retries", "0");
            properties.put("schema.registry.bearer.auth.issuer.endpoint.url", secure.url());
            RegistryException refusal = refusal();
            assertThat(refusal.kind()).isEqualTo(Kind.UNREACHABLE);
            assertThat(refusal).hasMessageContaining("TLS");

            properties.put("schema.registry.ssl.truststore.type", "PEM");
            properties.put(
                    "schema.registry.ssl.truststore.location", stores.trust(key, "PEM").toString());
            try (SchemaStore store = open()) {
                ask(store);
            }
        }
    }

    @Test
    void configsWithOtherCredentialsShareNoToken() throws Exception {
        try (SchemaStore store = open()) {
            ask(store);
            Map<String, String> others = new HashMap<>(properties);
            others.put("bearer.auth.client.secret", "s3cret, but another");
            try (SchemaStore other = SchemaStore.open(RegistryConfig.of(registry.url(), others))) {
                RegistryException refusal =
                        catchThrowableOfType(RegistryException.class, () -> ask(other));
                assertThat(refusal.kind()).isEqualTo(Kind.REFUSED);
                assertNoSecret(refusal);
            }
            try (SchemaStore same = open()) {
                ask(same);
            }
        }
        assertThat(tokens.requests()).hasSize(2);
    }

    @ParameterizedTest(name = "{0}: {2} {index}")
    @CsvSource({
        "bearer.auth.client.id, '', 'bearer.auth.client.id' is required",
        "bearer.auth.client.secret, '', 'bearer.auth.client.secret' is required",
        "schema.registry.bearer.auth.issuer.endpoint.url, '', endpoint.url' is required",
        "schema.registry.bearer.auth.issuer.endpoint.url, ftp://s3cret, must be an http",
        "schema.registry.bearer.auth.issuer.endpoint.url, http://u:s3cret@a/, must be an http",
        "schema.registry.bearer.auth.issuer.endpoint.url, http://a b/s3cret, must be an http",
        "bearer.auth.cache.expiry.buffer.seconds, 3601, at most 3600",
        "bearer.auth.cache.expiry.buffer.seconds, -1, at least 0",
    })
    void settingsThatCannotWorkAreRefusedByName(String name, String value, String reason) {
        properties.put(name, value);
        assertThatThrownBy(() -> RegistryConfig.of(registry.url(), properties))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void theConfigShowsNoSecret() {
        assertThat(RegistryConfig.of(registry.url(), properties).toString())
                .contains("credentials=OAUTHBEARER")
                .doesNotContain("s3cret");
    }
}
