package dev.sluice.flink.registry;

import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.KeyStores;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;
import dev.sluice.flink.testregistry.TestTokenEndpoint;

import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * A way in which a registry can fail a reader: a row of the table in {@code docs/registry.md}. What
 * the client makes of it is not said here; the test sees and compares.
 */
final class RegistryFault {
    static final int ID = 7;
    static final int EARLIER_ID = 6; // read before the trouble, where that comes in mid-job
    static final Submission SCHEMA =
            Submission.protobuf("syntax = \"proto3\"; message Order { int32 id = 1; }");

    /** Brings a registry that has a schema under {@link #ID} into trouble. */
    interface Trouble {
        void make(TestRegistry registry) throws Exception;
    }

    /** Befalls a client that has a token and has read with it. */
    interface TokenTrouble {
        void make(TestTokenEndpoint tokens) throws Exception;
    }

    final String name;
    final Trouble trouble;
    Submission submission = SCHEMA; // what the registry has under the id
    Path key; // of a server with TLS, else null
    TokenTrouble inMidJob; // null where no token is asked for
    Duration tokenLifetime = Duration.ofHours(1);
    private String url; // instead of the registry's own
    final List<String> properties = new ArrayList<>();

    private RegistryFault(String name, Trouble trouble) {
        this.name = name;
        this.trouble = trouble;
    }

    private RegistryFault at(String url) {
        this.url = url;
        return this;
    }

    private RegistryFault with(String property, String value) {
        properties.add(property);
        properties.add(value);
        return this;
    }

    private static RegistryFault certificate(String name, Path key, Path trusted) {
        RegistryFault fault =
                new RegistryFault(name, registry -> {})
                        .with("schema.registry.ssl.truststore.type", "PEM")
                        .with("schema.registry.ssl.truststore.location", trusted.toString());
        fault.key = key;
        return fault;
    }

    private static RegistryFault token(String name, Duration lifetime, TokenTrouble trouble) {
        RegistryFault fault = new RegistryFault(name, registry -> {});
        fault.inMidJob = trouble;
        fault.tokenLifetime = lifetime;
        return fault;
    }

    String url(TestRegistry registry) {
        return url == null ? registry.url() : url;
    }

    /** True if requests never get as far as the registry, so that it cannot count them. */
    boolean isUnseen() {
        return url != null;
    }

    private static RegistryFault always(String name, Fault fault) {
        return new RegistryFault(name, registry -> registry.failAlways(fault));
    }

    private static RegistryFault status(int status, int code, String note) {
        return always("HTTP " + status + note, Fault.error(status, code));
    }

    private static RegistryFault schema(String name, Submission submission) {
        RegistryFault fault = new RegistryFault(name, registry -> {});
        fault.submission = submission;
        return fault;
    }

    static List<RegistryFault> all(Certificates certificates) throws Exception {
        String closed;
        try (ServerSocket socket = new ServerSocket(0)) {
            closed = "http://127.0.0.1:" + socket.getLocalPort();
        }
        Map<String, Object> rules =
                Map.of("domainRules", List.of(Map.of("name", "decrypt", "mode", "READ")));
        Submission.Reference missing = new Submission.Reference("b.proto", "b", 1);
        return List.of(
                new RegistryFault("connection refused", registry -> {}).at(closed),
                new RegistryFault("host name that does not resolve", registry -> {})
                        .at("http://no.such.invalid:1"),
                always("no answer before the deadline", Fault.slow(Duration.ofMinutes(1)))
                        .with("http.read.timeout.ms", "300"),
                always("body that stalls", Fault.stalledBody()).with("http.read.timeout.ms", "300"),
                always("connection cut before the answer", Fault.cut()),
                always("connection cut inside the body", Fault.cutBody()),
                status(401, 40101, ""),
                status(403, 40301, ""),
                status(404, 40401, ", code 40401 (subject)"),
                status(404, 40402, ", code 40402 (version)"),
                status(404, 40403, ", code 40403 (schema)"),
                status(404, 404, " without such a code (wrong path)"),
                always("HTTP 404 with a page instead of JSON", Fault.html(404)),
                status(408, 408, ""),
                status(409, 409, ""),
                status(422, 42201, ""),
                status(429, 42901, ""),
                new RegistryFault(
                        "HTTP 5xx (500, 502, 503, 504) that passes",
                        registry ->
                                registry.failNext(
                                        Fault.error(503, 50003), Fault.html(502), Fault.html(504))),
                status(500, 50001, " that stays"),
                status(502, 502, " that stays"),
                status(503, 50003, " that stays"),
                status(504, 504, " that stays"),
                status(501, 501, ""),
                new RegistryFault(
                        "redirect",
                        registry ->
                                registry.failNext(
                                        Fault.redirect(registry.url() + "/schemas/ids/" + ID))),
                always(
                                "redirect, with credentials or extra headers",
                                Fault.redirect("http://127.0.0.1:1/schemas/ids/" + ID))
                        .with("request.header.X-Team", "orders"),
                always("HTTP 200 with a page instead of JSON", Fault.html(200)),
                always("answer longer than 16 MiB", Fault.body(200, " ".repeat((16 << 20) + 1)))
                        .with("http.read.timeout.ms", "60000"),
                certificate("expired certificate", certificates.expired, certificates.trusted),
                certificate(
                        "certificate of another host name",
                        certificates.wrongHost,
                        certificates.trusted),
                token(
                        "token that expires in mid-job",
                        Duration.ofSeconds(2),
                        tokens -> Thread.sleep(2000)),
                token(
                        "token that is revoked in mid-job (HTTP 401)",
                        Duration.ofHours(1),
                        TestTokenEndpoint::revokeAll),
                token(
                        "token that expires while its endpoint answers HTTP 503",
                        Duration.ofSeconds(2),
                        tokens -> {
                            tokens.failAlways(Fault.error(503, 503));
                            Thread.sleep(2000);
                        }),
                schema("schema of another type", Submission.ofType("AVRO", "\"string\"")),
                schema("schema text that cannot be read", Submission.protobuf("message {")),
                schema(
                        "reference that the registry lacks",
                        Submission.protobuf("import \"b.proto\"; message A {}", missing)),
                schema("schema with rules to run on read", SCHEMA.withRuleSet(rules)));
    }

    /** What servers with TLS show, and a file of all certificates that the client trusts. */
    static final class Certificates {
        final Path good;
        final Path expired;
        final Path wrongHost;
        final Path trusted;

        Certificates(Path folder) throws Exception {
            KeyStores stores = new KeyStores(folder);
            good = stores.key("good", "ip:127.0.0.1");
            wrongHost = stores.key("elsewhere", "dns:registry.example");
            Path authority = stores.key("authority", "dns:authority", "-ext", "bc=ca:true");
            expired = stores.key("expired", "ip:127.0.0.1");
            stores.sign(expired, authority, "-startdate", "-9d", "-validity", "2");
            trusted = folder.resolve("trusted.pem");
            StringBuilder pem = new StringBuilder();
            for (Path key : List.of(good, wrongHost, authority)) {
                pem.append(KeyStores.certificatePem(key));
            }
            Files.writeString(trusted, pem);
        }
    }

    @Override
    public String toString() {
        return name;
    }
}
