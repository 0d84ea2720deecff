package dev.sluice.flink.registry;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The properties of the registry client, and the names that other parts of the format, or another
 * client with the same properties, understand.
 *
 * <p>Each may be given bare or with the prefix {@code schema.registry.}; {@code ssl.*} only with it
 * and settings of caches only without it (C5).
 */
public final class PropertyNames {
    static final String PREFIX = "schema.registry.";
    static final String HEADER = "request.header.";

    /** Names that people copied from one another, and the real ones. */
    static final Map<String, String> MISNOMERS =
            Map.of(
                    "schema.registry.request.timeout.ms", "http.read.timeout.ms",
                    "schema.registry.connection.timeout.ms", "http.connect.timeout.ms",
                    "schema.registry.retry.backoff.ms", "retries.wait.ms");

    private static final Map<String, PropertyName> OURS = new LinkedHashMap<>();

    static {
        add("url.randomize", "false", "Whether the first URL to ask is drawn at random.");
        add("http.connect.timeout.ms", "60000", "Longest wait for a connection.");
        add(
                "http.read.timeout.ms",
                "60000",
                "Deadline of one attempt, from connecting to the last byte of the answer.");
        add("max.retries", "3", "Retries per URL, after the first attempt.");
        add("retries.wait.ms", "1000", "Longest pause before the first retry; doubles each time.");
        add("retries.max.wait.ms", "20000", "Longest pause before any retry.");
        add(
                "request.header.<Name>",
                "",
                "A header of every request; Authorization overrides the credentials.");
        add("basic.auth.credentials.source", "", "USER_INFO, URL or SASL_INHERIT.");
        add("basic.auth.user.info", "", "user:password, for USER_INFO.");
        add("bearer.auth.credentials.source", "", "STATIC_TOKEN or OAUTHBEARER.");
        add("bearer.auth.token", "", "The token, for STATIC_TOKEN.");
        add("bearer.auth.issuer.endpoint.url", "", "Where OAUTHBEARER gets its tokens.");
        add("bearer.auth.client.id", "", "The client that asks for tokens.");
        add("bearer.auth.client.secret", "", "Its secret.");
        add("bearer.auth.scope", "", "The scope to ask for.");
        add("bearer.auth.scope.claim.name", "scope", "The claim of a token that holds its scope.");
        add("bearer.auth.sub.claim.name", "sub", "The claim of a token that holds its subject.");
        add(
                "bearer.auth.cache.expiry.buffer.seconds",
                "300",
                "How long before its expiry a token is replaced at the latest, 0 to 3600.");
        add("bearer.auth.logical.cluster", "", "Sent as the header target-sr-cluster.");
        add("bearer.auth.identity.pool.id", "", "Sent as the header Confluent-Identity-Pool-Id.");
        add("proxy.host", "", "Host of an HTTP proxy.");
        add("proxy.port", "-1", "Port of the proxy, which is used if host and port are given.");
        ssl("protocol", "TLSv1.3", "The newest TLS version; older ones the JVM allows are usable.");
        ssl("provider", "", "The security provider of TLS; the JVM's choice without it.");
        ssl("keymanager.algorithm", "", "The JVM's default without it.");
        ssl("trustmanager.algorithm", "", "The JVM's default without it.");
        ssl("keystore.type", "JKS", "JKS, PKCS12 or PEM.");
        ssl("keystore.location", "", "File with the client's key and certificate, on each task.");
        ssl("keystore.password", "", "Required by a JKS or PKCS12 file.");
        ssl("key.password", "", "Password of the key; that of the store without it.");
        ssl("keystore.key", "", "The key as PEM text (PKCS#8) instead of a file.");
        ssl("keystore.certificate.chain", "", "The certificates of that key as PEM text.");
        ssl("truststore.type", "JKS", "JKS, PKCS12 or PEM.");
        ssl("truststore.location", "", "File with trusted certificates; else the JVM's count.");
        ssl("truststore.password", "", "Password of that file.");
        ssl("truststore.certificates", "", "Trusted certificates as PEM text instead of a file.");
        ssl(
                "endpoint.identification.algorithm",
                "https",
                "Host names are checked; an empty value or none switches that off.");
        add("max.schemas.per.subject", "1000", "How many schemas are kept.");
        add("missing.cache.size", "10000", "How many ids without a usable schema are remembered.");
        add("missing.id.cache.ttl.sec", "5", "How long they are remembered; 0 for not at all.");
    }

    /** Read by other parts of the format, or by Confluent's client and serializers only. */
    private static final Set<String> OTHERS =
            Set.of(
                    "url",
                    "auto.register.schemas",
                    "normalize.schemas",
                    "id.compatibility.strict",
                    "latest.compatibility.strict",
                    "skip.known.types",
                    "reference.lookup.only",
                    "propagate.schema.tags",
                    "schema.format",
                    "schema.reflection",
                    "execution.environment",
                    "specific.protobuf.key.type",
                    "specific.protobuf.value.type",
                    "derive.type",
                    "message-class",
                    "sasl.jaas.config",
                    "context.name.strategy",
                    "reference.subject.name.strategy",
                    "latest.cache.size",
                    "latest.cache.ttl.sec",
                    "missing.version.cache.ttl.sec",
                    "missing.schema.cache.ttl.sec",
                    "use.apache.http.client");

    private PropertyNames() {}

    private static void add(String name, String defaultText, String description) {
        OURS.put(name, new PropertyName(name, defaultText, description));
    }

    private static void ssl(String name, String defaultText, String description) {
        add(PREFIX + "ssl." + name, defaultText, description);
    }

    /** Every property of the registry client, in an order to be read. */
    public static List<PropertyName> all() {
        return List.copyOf(OURS.values());
    }

    /**
     * The bare name of a property of ours as the user spelt it, or null.
     *
     * @param given bare or with the prefix
     */
    static String bare(String given) {
        String bare = given.startsWith(PREFIX) ? given.substring(PREFIX.length()) : given;
        if (bare.startsWith(HEADER)) {
            return bare;
        }
        if (bare.startsWith("ssl.")) {
            return OURS.containsKey(given) ? bare : null;
        }
        if (isOfCache(bare)) {
            return OURS.containsKey(given) ? given : null;
        }
        return OURS.containsKey(bare) ? bare : null;
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    private static boolean isOfCache(String bare) {
        return bare.startsWith("latest.cache.") || bare.startsWith("missing.");
    }

    /** True if somebody reads a property under this name, we or others. */
    static boolean isKnown(String given) {
        if (bare(given) != null || MISNOMERS.containsKey(given)) {
            return true;
        }
        boolean prefixed = given.startsWith(PREFIX);
        String bare = prefixed ? given.substring(PREFIX.length()) : given;
        if (OTHERS.contains(bare)) {
            return !(prefixed && isOfCache(bare));
        }
        String role = bare.startsWith("key.") ? "key." : bare.startsWith("value.") ? "value." : "";
        String rest = bare.substring(role.length());
        return rest.equals("message-class")
                || rest.endsWith("subject.name.strategy")
                || rest.startsWith("subject.name.strategy.")
                || rest.endsWith("schema.id.serializer")
                || rest.endsWith("schema.id.deserializer")
                || rest.startsWith("use.")
                || rest.startsWith("rule.")
                || rest.startsWith("validation.rules.");
    }

    /** The known name that differs least from {@code unknown}. */
    static String nearest(String unknown) {
        List<String> known = new ArrayList<>(OURS.keySet());
        known.addAll(OTHERS);
        String nearest = null;
        int least = Integer.MAX_VALUE;
        boolean prefixed = unknown.startsWith(PREFIX);
        for (String name : known) {
            // Names are compared without the prefix, which all of them may have.
            int distance = distance(withoutPrefix(unknown), withoutPrefix(name));
            if (distance < least) {
                least = distance;
                nearest =
                        prefixed && !name.startsWith(PREFIX) && !isOfCache(name)
                                ? PREFIX + name
                                : name;
            }
        }
        return nearest;
    }

    /** Letters to insert, drop or replace. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
