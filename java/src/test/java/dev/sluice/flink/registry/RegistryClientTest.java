package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.ServerSocket;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Calls, retries, failover, deadlines and error kinds, against the strict registry. */
@Timeout(60)
class RegistryClientTest {
    private static final String TEXT = "syntax = \"proto3\"; message M {}";

    private TestRegistry registry;
    private Transport transport;
    private int id;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        id = registry.register("orders-value", Submission.protobuf(TEXT));
    }

    @AfterEach
    void stop() {
        if (transport != null) {
            transport.close();
        }
        registry.close();
    }

    /** A client with short pauses; {@code more} is name, value, name, value. */
    private RegistryClient client(String urls, String... more) {
        Map<String, String> properties = new HashMap<>();
        properties.put("retries.wait.ms", "1");
        properties.put("http.read.timeout.ms", "5000");
        for (int i = 0; i < more.length; i += 2) {
            properties.put(more[i], more[i + 1]);
        }
        RegistryConfig config = RegistryConfig.of(urls, properties);
        transport = new Transport(config);
        return new RegistryClient(new FailoverSender(config, transport));
    }

    private RegistryException refusal(RegistryClient client) {
        return catchThrowableOfType(
                RegistryException.class, () -> client.schema(SchemaKey.ofId(id), ""));
    }

    private static String closedUrl() throws Exception {
        try (ServerSocket socket = new ServerSocket(0)) {
            return "http://127.0.0.1:" + socket.getLocalPort();
        }
    }

    @Test
    void readsSchemasByIdByGuidAndByVersion() throws Exception {
        RegistryClient client = client(registry.url() + "/");
        SchemaKey guid = SchemaKey.ofGuid(Submission.protobuf(TEXT).guid());
        registry.register("a/b.proto", Submission.protobuf("message Deleted {}"));
        registry.delete("a/b.proto", 1);

        assertThat(client.schema(SchemaKey.ofId(id), "").text()).isEqualTo(TEXT);
        assertThat(client.schema(guid, "").text()).isEqualTo(TEXT);
        assertThat(client.version("a/b.proto", 1, "x").text()).isEqualTo("message Deleted {}");
        assertThat(client.version("a/b.proto", -1, "x").text()).isEqualTo("message Deleted {}");
        assertThat(registry.targets())
                .containsExactly(
                        "/schemas/ids/" + id + "?fetchMaxId=false&subject=",
                        "/schemas/guids/" + guid.guid(),
                        "/subjects/a%2Fb.proto/versions/1?deleted=true",
                        "/subjects/a%2Fb.proto/versions/latest?deleted=true");
    }

    @Test
    void sendsTheHeadersOfConfluentsClientAndTheUsersOwn() throws Exception {
        client(registry.url(), "request.header.X-Team", "orders").schema(SchemaKey.ofId(id), "");
        var headers = registry.requests().get(0).headers();
        assertThat(headers.getFirst("Content-Type"))
                .isEqualTo("application/vnd.schemaregistry.v1+json");
        assertThat(headers.getFirst("Accept"))
                .isEqualTo(
                        "application/vnd.schemaregistry.v1+json,"
                                + " application/vnd.schemaregistry+json, application/json");
        assertThat(headers.getFirst("Confluent-Accept-Unknown-Properties")).isEqualTo("true");
        assertThat(headers.getFirst("Confluent-Client-Version")).startsWith("java/");
        assertThat(headers.getFirst("X-Team")).isEqualTo("orders");
        assertThat(headers).doesNotContainKey("Authorization");
    }

    @Test
    void authenticatesFromPropertiesUrlTokenOrHeader() throws Exception {
        registry.requireAuthorization("Basic bWU6czNjcmV0");
        String basic = "basic.auth.credentials.source";
        client(registry.url(), basic, "USER_INFO", "basic.auth.user.info", "me:s3cret")
                .schema(SchemaKey.ofId(id), "");
        client(registry.url().replace("//", "//me:s3cret@"), basic, "URL")
                .schema(SchemaKey.ofId(id), "");

        registry.requireAuthorization("Bearer s3cret");
        String bearer = "bearer.auth.credentials.source";
        client(registry.url(), bearer, "STATIC_TOKEN", "bearer.auth.token", "s3cret")
                .schema(SchemaKey.ofId(id), "");

        registry.requireAuthorization("Own s3cret");
        client(
                        registry.url(),
                        "request.header.authorization",
                        "Own s3cret",
                        basic,
                        "USER_INFO",
                        "basic.auth.user.info",
                        "x:y")
                .schema(SchemaKey.ofId(id), "");
    }

    @Test
    void saysWhoRefusesWhatWithoutTheSecret() {
        registry.requireAuthorization("Bearer right");
        RegistryException e =
                refusal(
                        client(
                                registry.url().replace("//", "//me:s3cret@"),
                                "basic.auth.credentials.source",
                                "URL"));
        assertThat(e.kind()).isEqualTo(Kind.REFUSED);
        assertThat(e)
                .hasMessage(
                        "registry %s refuses access to schema id %d: HTTP 401, error 40101:"
                                + " Unauthorized",
                        registry.url(), id);
        assertThat(registry.requests()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({
        "400, 400, UNEXPECTED, 1",
        "401, 40101, REFUSED, 1",
        "403, 40301, REFUSED, 1",
        "404, 40403, NOT_FOUND, 1",
        "408, 408, UNAVAILABLE, 4",
        "409, 409, UNEXPECTED, 1",
        "422, 42201, UNEXPECTED, 1",
        "429, 42901, THROTTLED, 4",
        "500, 50001, UNAVAILABLE, 4",
        "501, 501, UNEXPECTED, 1",
        "502, 502, UNAVAILABLE, 4",
        "503, 503, UNAVAILABLE, 4",
        "504, 504, UNAVAILABLE, 4"
    })
    void tellsStatusesApart(int status, int code, Kind kind, int requests) {
        registry.failAlways(Fault.error(status, code));
        RegistryException e = refusal(client(registry.url()));
        assertThat(e.kind()).isEqualTo(kind);
        assertThat(e.errorCode()).isEqualTo(code);
        assertThat(e)
                .hasMessageContaining(registry.url())
                .hasMessageContaining("schema id " + id)
                .hasMessageContaining("HTTP " + status + ", error " + code + ": injected");
        assertThat(registry.requests()).hasSize(requests);
    }

    @Test
    void an404ForAnUnknownIdIsNotFound() {
        id = 4711;
        RegistryException e = refusal(client(registry.url()));
        assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(e.errorCode()).isEqualTo(40403);
        assertThat(e.kind().concernsRecord()).isTrue();
    }

    @Test
    void asksAgainAfterFaultsThatPass() throws Exception {
        registry.failNext(Fault.error(503, 50004), Fault.html(502), Fault.cutBody());
        assertThat(client(registry.url()).schema(SchemaKey.ofId(id), "").text()).isEqualTo(TEXT);
        assertThat(registry.requests()).hasSize(4);
    }

    @Test
    void doesNotQuoteAPageInsteadOfJson() {
        registry.failAlways(Fault.html(403));
        RegistryException refused = refusal(client(registry.url()));
        assertThat(refused.errorCode()).isEqualTo(50005);
        assertThat(refused).hasMessageNotContaining("<");

        registry.failAlways(Fault.html(200));
        RegistryException odd = refusal(client(registry.url()));
        assertThat(odd.kind()).isEqualTo(Kind.UNEXPECTED);
        assertThat(odd).hasMessageContaining(registry.url()).hasMessageNotContaining("html");
    }

    @Test
    void givesUpOnAnAnswerWithoutEnd() {
        registry.failAlways(Fault.body(200, " ".repeat(Transport.BODY_BYTES_MAX + 1)));
        RegistryException e = refusal(client(registry.url(), "http.read.timeout.ms", "60000"));
        assertThat(e.kind()).isEqualTo(Kind.UNEXPECTED);
        assertThat(e).hasMessageContaining("longer than 16777216 bytes");
    }

    @ParameterizedTest
    @CsvSource({"STALLED", "SLOW"})
    void endsAnAttemptAtItsDeadline(String kind) {
        registry.failAlways(
                kind.equals("SLOW") ? Fault.slow(Duration.ofMinutes(1)) : Fault.stalledBody());
        long start = System.nanoTime();
        RegistryException e =
                refusal(client(registry.url(), "http.read.timeout.ms", "300", "max.retries", "1"));
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(Duration.ofMillis(600), Duration.ofSeconds(30));
        assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(e)
                .hasMessage(
                        "no registry gave schema id %d: %s did not answer completely in time",
                        id, registry.url());
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void namesEveryUrlThatCannotBeReached() throws Exception {
        String closed = closedUrl();
        RegistryException e =
                refusal(
                        client(
                                closed.replace("//", "//me:s3cret@")
                                        + ", http://no.such.invalid:1"));
        assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(e)
                .hasMessageContaining(closed + " cannot be connected to")
                .hasMessageContaining("http://no.such.invalid:1 is a host that cannot be resolved")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void staysWithTheUrlThatAnsweredLast() throws Exception {
        try (TestRegistry second = TestRegistry.start()) {
            second.put("orders-value", id, Submission.protobuf(TEXT));
            RegistryClient client = client(registry.url() + "," + second.url(), "max.retries", "0");

            registry.failNext(Fault.error(500, 50001));
            client.schema(SchemaKey.ofId(id), "");
            client.schema(SchemaKey.ofId(id), "");
            assertThat(registry.requests()).hasSize(1);
            assertThat(second.requests()).hasSize(2);

            second.close();
            client.schema(SchemaKey.ofId(id), "");
            client.schema(SchemaKey.ofId(id), "");
            assertThat(registry.requests()).hasSize(3);
        }
    }

    @Test
    void asksOneUrlOnlyWhenTheAnswerIsFinal() throws Exception {
        try (TestRegistry second = TestRegistry.start()) {
            registry.failAlways(Fault.error(404, 40403));
            assertThat(refusal(client(registry.url() + "," + second.url())).kind())
                    .isEqualTo(Kind.NOT_FOUND);
            assertThat(second.requests()).isEmpty();
        }
    }

    @Test
    void followsARedirectOnlyWithoutCredentials() throws Exception {
        try (TestRegistry elsewhere = TestRegistry.start()) {
            elsewhere.put("orders-value", id, Submission.protobuf(TEXT));
            registry.failAlways(Fault.redirect(elsewhere.url() + "/schemas/ids/" + id));

            RegistryException e =
                    refusal(
                            client(
                                    registry.url(),
                                    "bearer.auth.credentials.source",
                                    "STATIC_TOKEN",
                                    "bearer.auth.token",
                                    "s3cret"));
            assertThat(e.kind()).isEqualTo(Kind.UNEXPECTED);
            assertThat(e).hasMessageContaining("redirects").hasMessageContaining(registry.url());
            assertThat(elsewhere.requests()).isEmpty();

            assertThat(client(registry.url()).schema(SchemaKey.ofId(id), "").text())
                    .isEqualTo(TEXT);
            assertThat(elsewhere.requests()).hasSize(1);
        }
    }

    @Test
    void anInterruptEndsTheWaitAndStaysSet() {
        registry.failAlways(Fault.slow(Duration.ofMinutes(1)));
        RegistryClient client = client(registry.url(), "http.read.timeout.ms", "60000");
        Thread.currentThread().interrupt();
        assertThat(refusal(client).kind()).isEqualTo(Kind.INTERRUPTED);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void closingEndsAFetch() {
        registry.failAlways(Fault.slow(Duration.ofMinutes(1)));
        RegistryClient client = client(registry.url(), "http.read.timeout.ms", "60000");
        Transport closing = transport;
        new Thread(
                        () -> {
                            while (registry.requests().isEmpty()) {
                                Thread.onSpinWait();
                            }
                            closing.close();
                        })
                .start();
        assertThatThrownBy(() -> client.schema(SchemaKey.ofId(id), ""))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the schema store is closed");
    }
}
