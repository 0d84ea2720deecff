package dev.sluice.flink.registry;

import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The user's client properties under their bare names (C5), read with types and defaults.
 *
 * <p>Only values that the user gave count (C6). A property that guards a connection and is not
 * understood here is refused by name: ignoring it could send requests unauthenticated or through
 * the wrong trust. Errors name properties and never show values of {@code *.auth.*}. Properties of
 * other parts of the format are left out, so that they do not tell two connections apart.
 */
final class ClientProperties {
    private static final String PREFIX = "schema.registry.";
    private static final String HEADER_PREFIX = "request.header.";
    private static final Set<String> PLAIN =
            Set.of(
                    "url.randomize",
                    "http.connect.timeout.ms",
                    "http.read.timeout.ms",
                    "max.retries",
                    "retries.wait.ms",
                    "retries.max.wait.ms");
    private static final Set<String> GUARDED =
            Set.of("basic.auth.", "bearer.auth.", "ssl.", "proxy.");
    private static final Set<String> GUARDED_AND_BUILT =
            Set.of(
                    "basic.auth.credentials.source",
                    "basic.auth.user.info",
                    "bearer.auth.credentials.source",
                    "bearer.auth.token",
                    "bearer.auth.logical.cluster",
                    "bearer.auth.identity.pool.id",
                    "proxy.host",
                    "proxy.port",
                    "ssl.protocol",
                    "ssl.provider",
                    "ssl.keystore.type",
                    "ssl.keystore.location",
                    "ssl.keystore.password",
                    "ssl.key.password",
                    "ssl.keystore.key",
                    "ssl.keystore.certificate.chain",
                    "ssl.truststore.type",
                    "ssl.truststore.location",
                    "ssl.truststore.password",
                    "ssl.truststore.certificates",
                    "ssl.keymanager.algorithm",
                    "ssl.trustmanager.algorithm",
                    "ssl.endpoint.identification.algorithm");
    private static final String TLS = "ssl.";
    private static final String HOST_CHECK = "ssl.endpoint.identification.algorithm";
    private static final String JAAS = "sasl.jaas.config";
    private static final String INHERITS = "SASL_INHERIT";

    private final SortedMap<String, String> values;

    private ClientProperties(SortedMap<String, String> values) {
        this.values = values;
    }

    /**
     * Strips the prefix; a prefixed name wins over a bare one. Blank values count as not given.
     *
     * @throws IllegalArgumentException naming a property whose function does not exist yet
     */
    static ClientProperties of(Map<String, String> properties) {
        SortedMap<String, String> values = new TreeMap<>();
        properties.forEach((name, value) -> putIf(!name.startsWith(PREFIX), values, name, value));
        properties.forEach(
                (name, value) -> {
                    boolean prefixed = name.startsWith(PREFIX);
                    String bare = prefixed ? name.substring(PREFIX.length()) : name;
                    putIf(prefixed, values, bare, value);
                });
        // C5: TLS is read with the prefix only; and of this one the empty value says something.
        values.keySet().removeIf(name -> name.startsWith(TLS) && isBlankAt(properties, name));
        String hostCheck = properties.get(PREFIX + HOST_CHECK);
        if (hostCheck != null) {
            values.put(HOST_CHECK, hostCheck);
        }
        if (!INHERITS.equals(values.get("basic.auth.credentials.source"))) {
            values.remove(JAAS); // whatever else the text is for, no connection depends on it
        }
        values.keySet().removeIf(name -> !isOurs(name));
        return new ClientProperties(values);
    }

    private static boolean isBlankAt(Map<String, String> properties, String name) {
        String value = properties.get(PREFIX + name);
        return value == null || value.isBlank();
    }

    private static void putIf(
            boolean wanted, Map<String, String> values, String name, String value) {
        if (wanted && value != null && !value.isBlank()) {
            values.put(name, value);
        }
    }

    private static boolean isOurs(String name) {
        if (PLAIN.contains(name) || name.equals(JAAS) || name.startsWith(HEADER_PREFIX)) {
            return true;
        }
        boolean guarded = GUARDED.stream().anyMatch(name::startsWith);
        if (guarded && !GUARDED_AND_BUILT.contains(name)) {
            throw new IllegalArgumentException(
                    "registry property '" + name + "' is not supported yet");
        }
        return guarded;
    }

    /** The value, or null. */
    String find(String name) {
        return values.get(name);
    }

    /** The value, which may be blank where blank says something; or null. */
    String findEvenBlank(String name) {
        return values.get(name);
    }

    /** Whether any property with this prefix is set. */
    boolean hasAny(String prefix) {
        return values.keySet().stream().anyMatch(name -> name.startsWith(prefix));
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(values.getOrDefault(name, "false").trim());
    }

    /** A whole number of at least {@code least}. */
    int number(String name, int fallback, int least) {
        String value = values.get(name);
        if (value == null) {
            return fallback;
        }
        try {
            int number = Integer.parseInt(value.trim());
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below, as a number that is too small
        }
        throw new IllegalArgumentException(
                "registry property '"
                        + name
                        + "' must be a whole number of at least "
                        + least
                        + ", not '"
                        + value
                        + "'");
    }

    /** Calls {@code header} with the name and value of every {@code request.header.<Name>}. */
    void forEachRequestHeader(BiConsumer<String, String> header) {
        values.forEach(
                (name, value) -> {
                    if (name.startsWith(HEADER_PREFIX)) {
                        header.accept(name.substring(HEADER_PREFIX.length()), value);
                    }
                });
    }

    SortedMap<String, String> asMap() {
        return values;
    }
}
