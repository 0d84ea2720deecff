package dev.sluice.flink.registry;

import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import java.net.ServerSocket;
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
    static final Submission SCHEMA =
            Submission.protobuf("syntax = \"proto3\"; message Order { int32 id = 1; }");

    /** Brings a registry that has a schema under {@link #ID} into trouble. */
    interface Trouble {
        void make(TestRegistry registry) throws Exception;
    }

    final String name;
    final Trouble trouble;
    Submission submission = SCHEMA; // what the registry has under the id
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

    static List<RegistryFault> all() throws Exception {
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
                schema("schema of another type", Submission.ofType("AVRO", "\"string\"")),
                schema("schema text that cannot be read", Submission.protobuf("message {")),
                schema(
                        "reference that the registry lacks",
                        Submission.protobuf("import \"b.proto\"; message A {}", missing)),
                schema("schema with rules to run on read", SCHEMA.withRuleSet(rules)));
    }

    @Override
    public String toString() {
        return name;
    }
}
