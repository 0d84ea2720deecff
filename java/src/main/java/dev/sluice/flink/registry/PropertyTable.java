package dev.sluice.flink.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The properties that people have in the configuration of their registry clients: those of ours
 * with all that the user page says of them, and those that only others read. {@link PropertyNames}
 * looks them up.
 */
final class PropertyTable {
    static final String PREFIX = "schema.registry.";

    /** Names that people copied from one another, and the real ones. */
    static final Map<String, String> MISNOMERS =
            Map.of(
                    "schema.registry.request.timeout.ms", "http.read.timeout.ms",
                    "schema.registry.connection.timeout.ms", "http.connect.timeout.ms",
                    "schema.registry.retry.backoff.ms", "retries.wait.ms");

    /** What only Confluent's client and serializers read: known, so not warned of. */
    static final Set<String> OF_OTHERS =
            Set.of(
                    "id.compatibility.strict",
                    "latest.compatibility.strict",
                    "reference.lookup.only",
                    "reference.subject.name.strategy",
                    "propagate.schema.tags",
                    "schema.format",
                    "schema.reflection",
                    "execution.environment",
                    "specific.protobuf.key.type",
                    "specific.protobuf.value.type",
                    "derive.type",
                    "key.schema.id.serializer",
                    "value.schema.id.serializer",
                    "subject.name.strategy.kafka.cluster.id",
                    "subject.name.strategy.cache.size",
                    "subject.name.strategy.cache.expiry.secs",
                    "latest.cache.size",
                    "missing.version.cache.ttl.sec",
                    "missing.schema.cache.ttl.sec",
                    "use.apache.http.client");

    /** The same, of any further name. */
    static final Set<String> OPEN_ENDED = Set.of("rule.", "validation.rules.");

    /** What the options of the format set. */
    static final Set<String> OF_OPTIONS =
            Set.of(
                    "url",
                    "auto.register.schemas",
                    "normalize.schemas",
                    "skip.known.types",
                    "message-class",
                    "key.message-class",
                    "value.message-class");

    static final String TEXT = "String";
    static final String NUMBER = "Integer";
    static final String FLAG = "Boolean";
    static final String LIST = "List";

    private final Map<String, PropertyName> rows = new LinkedHashMap<>();

    PropertyTable() {}

    void add(String name, String type, String defaultText, String description, String example) {
        rows.put(name, new PropertyName(name, type, defaultText, description, example));
    }

    void add(String name, String type, String description, String example) {
        add(name, type, "", description, example);
    }

    private void ssl(String name, String defaultText, String description, String example) {
        add(PREFIX + "ssl." + name, TEXT, defaultText, description, example);
    }

    private void sslList(String name, String description, String example) {
        add(PREFIX + "ssl." + name, LIST, description, example);
    }

    Map<String, PropertyName> rows() {
        return rows;
    }

    /** By name, in an order to be read: what the registry client reads. */
    static Map<String, PropertyName> ofClient() {
        PropertyTable table = new PropertyTable();
        table.addRequests();
        table.addCredentials();
        table.addTls();
        table.addCaches();
        return table.rows;
    }

    private void addRequests() {
        add(
                "url.randomize",
                FLAG,
                "false",
                "Whether the first URL to ask is drawn at random.",
                "true");
        add("http.connect.timeout.ms", NUMBER, "60000", "Longest wait for a connection.", "5000");
        add(
                "http.read.timeout.ms",
                NUMBER,
                "60000",
                "Deadline of one attempt, from connecting to the last byte of the answer.",
                "10000");
        add("max.retries", NUMBER, "3", "Retries per URL, after the first attempt.", "5");
        add(
                "retries.wait.ms",
                NUMBER,
                "1000",
                "Longest pause before the first retry; doubles each time.",
                "200");
        add("retries.max.wait.ms", NUMBER, "20000", "Longest pause before any retry.", "5000");
        add(
                "request.header.<Name>",
                TEXT,
                "A header of every request; Authorization overrides the credentials.",
                "orders-team");
        add("proxy.host", TEXT, "Host of an HTTP proxy.", "proxy.example.com");
        add(
                "proxy.port",
                NUMBER,
                "-1",
                "Port of the proxy, which is used if host and port are given.",
                "3128");
    }

    private void addCredentials() {
        add(
                "basic.auth.credentials.source",
                TEXT,
                "Where basic credentials come from: USER_INFO, URL or SASL_INHERIT.",
                "USER_INFO");
        add("basic.auth.user.info", TEXT, "user:password, for USER_INFO.", "alice:secret");
        add(
                "sasl.jaas.config",
                TEXT,
                "JAAS text of Kafka with username and password, for SASL_INHERIT; without it that"
                        + " of the table's 'properties.sasl.jaas.config'.",
                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"alice\" password=\"secret\";");
        add(
                "bearer.auth.credentials.source",
                TEXT,
                "Where the bearer token comes from: STATIC_TOKEN or OAUTHBEARER.",
                "OAUTHBEARER");
        add("bearer.auth.token", TEXT, "The token, for STATIC_TOKEN.", "eyJhbGciOi");
        add(
                "bearer.auth.issuer.endpoint.url",
                TEXT,
                "Where OAUTHBEARER gets its tokens.",
                "https://login.example.com/token");
        add("bearer.auth.client.id", TEXT, "The client that asks for tokens.", "orders-job");
        add("bearer.auth.client.secret", TEXT, "Its secret.", "secret");
        add("bearer.auth.scope", TEXT, "The scope to ask for.", "registry:read");
        add(
                "bearer.auth.scope.claim.name",
                TEXT,
                "scope",
                "The claim of a token that holds its scope.",
                "scp");
        add(
                "bearer.auth.sub.claim.name",
                TEXT,
                "sub",
                "The claim of a token that holds its subject.",
                "client_id");
        add(
                "bearer.auth.cache.expiry.buffer.seconds",
                NUMBER,
                "300",
                "How long before its expiry a token is replaced at the latest, 0 to 3600.",
                "60");
        add("bearer.auth.logical.cluster", TEXT, "Sent as the header target-sr-cluster.", "lsrc-1");
        add(
                "bearer.auth.identity.pool.id",
                TEXT,
                "Sent as the header Confluent-Identity-Pool-Id.",
                "pool-1");
    }

    private void addTls() {
        ssl(
                "protocol",
                "TLS",
                "The newest version of TLS, TLSv1.3 or TLSv1.2; TLS leaves it to the JVM. Older"
                        + " versions that the JVM allows are usable.",
                "TLSv1.3");
        sslList(
                "enabled.protocols",
                "The versions of TLS that are usable, whatever the JVM allows.",
                "TLSv1.3,TLSv1.2");
        sslList(
                "cipher.suites",
                "The cipher suites that are usable, those of TLSv1.3 included.",
                "TLS_AES_256_GCM_SHA384,TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384");
        ssl(
                "provider",
                "",
                "The security provider of TLS; the JVM's choice without it.",
                "SunJSSE");
        ssl("keymanager.algorithm", "", "The JVM's default without it.", "SunX509");
        ssl("trustmanager.algorithm", "", "The JVM's default without it.", "PKIX");
        ssl("keystore.type", "JKS", "JKS, PKCS12 or PEM.", "PKCS12");
        ssl(
                "keystore.location",
                "",
                "File with the client's key and certificate, on each task.",
                "/etc/flink/client.p12");
        ssl("keystore.password", "", "Required by a JKS or PKCS12 file.", "secret");
        ssl("key.password", "", "Password of the key; that of the store without it.", "secret");
        ssl(
                "keystore.key",
                "",
                "The key as PEM text (PKCS#8) instead of a file.",
                "-----BEGIN PRIVATE KEY-----");
        ssl(
                "keystore.certificate.chain",
                "",
                "The certificates of that key as PEM text.",
                "-----BEGIN CERTIFICATE-----");
        ssl("truststore.type", "JKS", "JKS, PKCS12 or PEM.", "PEM");
        ssl(
                "truststore.location",
                "",
                "File with trusted certificates; else the JVM's count.",
                "/etc/flink/ca.pem");
        ssl("truststore.password", "", "Password of that file.", "secret");
        ssl(
                "truststore.certificates",
                "",
                "Trusted certificates as PEM text instead of a file.",
                "-----BEGIN CERTIFICATE-----");
        ssl(
                "endpoint.identification.algorithm",
                "https",
                "Host names are checked; an empty value or none switches that off.",
                "none");
    }

    /** By name or beginning of names: what guards a connection and is not understood, and why. */
    static Map<String, String> refused() {
        Map<String, String> refused = new LinkedHashMap<>();
        refused.put(
                PREFIX + "ssl.engine.factory.class",
                "not supported: classes of other jars are not loaded");
        refused.put(
                PREFIX + "ssl.secure.random.implementation",
                "not supported: random numbers come from the JVM, whose security properties"
                        + " choose");
        refused.put(
                "bearer.auth.custom.provider.class",
                "not supported yet: it belongs to the source CUSTOM");
        refused.put("bearer.auth.uami.*", "not supported yet: it belongs to the source UAMI");
        for (String guarded : List.of("basic.auth.*", "bearer.auth.*", "proxy.*")) {
            refused.put(guarded, "not supported yet");
        }
        refused.put(PREFIX + "ssl.*", "not supported yet");
        return refused;
    }

    private void addCaches() {
        add("max.schemas.per.subject", NUMBER, "1000", "How many schemas are kept.", "5000");
        add(
                "missing.cache.size",
                NUMBER,
                "10000",
                "How many ids without a usable schema are remembered.",
                "100");
        add(
                "missing.id.cache.ttl.sec",
                NUMBER,
                "5",
                "How long they are remembered; 0 for not at all.",
                "60");
    }

    /** Every known name, without those that are open-ended. */
    static List<String> names() {
        List<String> names = new ArrayList<>(ofClient().keySet());
        names.addAll(ReaderPropertyTable.rows().keySet());
        names.addAll(OF_OPTIONS);
        names.addAll(OF_OTHERS);
        return names;
    }
}
