package dev.sluice.flink.deadletter;

import org.apache.kafka.clients.producer.ProducerConfig;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The user's producer properties, completed: a letter is acknowledged by all replicas, and nothing
 * waits for more letters. The user's own values win, but for serializers, which letters do not
 * need.
 */
final class ProducerSettings {
    private static final Set<String> COMPRESSIONS = Set.of("none", "gzip");
    private static final String JAAS = "sasl.jaas.config";

    /** Kafka's own package, also as Flink's SQL connector renames it, before a class name. */
    private static final String MODULE_PACKAGE =
            "(?<![\\w.\"'])(org\\.apache\\.flink\\.kafka\\.shaded\\.)?org\\.apache\\.kafka\\."
                    + "(?=common\\.security\\.)";

    private static final long BLOCK_MILLIS = 60_000;
    private static final long DELIVERY_MILLIS = 120_000;

    private final Map<String, Object> settings;

    private ProducerSettings(Map<String, Object> settings) {
        this.settings = settings;
    }

    /**
     * @throws IllegalArgumentException naming a property that cannot be honoured
     */
    static ProducerSettings of(Map<String, String> given) {
        requireBundledCompression(given);
        requireBundledLogin(given);
        Map<String, Object> settings = new TreeMap<>();
        settings.put("acks", "all");
        settings.put("linger.ms", "0");
        settings.put("client.id", "sluice-dead-letters");
        settings.putAll(given);
        settings.remove("key.serializer");
        settings.remove("value.serializer");
        if (given.get(JAAS) != null) {
            settings.put(JAAS, withOwnModules(given.get(JAAS)));
        }
        return new ProducerSettings(settings);
    }

    /** Codecs other than the JDK's are not in the jar. */
    static void requireBundledCompression(Map<String, String> given) {
        String compression = given.get("compression.type");
        if (compression != null && !COMPRESSIONS.contains(compression.trim())) {
            throw new IllegalArgumentException(
                    "property 'compression.type' of dead letters must be one of "
                            + new TreeMap<>(Map.of("none", "", "gzip", "")).keySet());
        }
    }

    /** What Kafka needs for tokens is not in the jar either. */
    static void requireBundledLogin(Map<String, String> given) {
        String mechanism = given.get("sasl.mechanism");
        if (mechanism != null && mechanism.trim().equals("OAUTHBEARER")) {
            throw new IllegalArgumentException(
                    "property 'sasl.mechanism' of dead letters cannot be OAUTHBEARER");
        }
    }

    /**
     * A JAAS text names login modules where the user's Kafka has them; the jar has its own copy in
     * another package.
     */
    static String withOwnModules(String jaas) {
        String own = ProducerConfig.class.getName();
        String root = own.substring(0, own.indexOf("clients.producer."));
        return jaas.replaceAll(MODULE_PACKAGE, root);
    }

    Map<String, Object> asMap() {
        return settings;
    }

    /** How long a letter may take: until its metadata is known, and until it is delivered. */
    long patienceMillis() {
        return millis("max.block.ms", BLOCK_MILLIS)
                + millis("delivery.timeout.ms", DELIVERY_MILLIS);
    }

    private long millis(String name, long fallback) {
        Object value = settings.get(name);
        try {
            return value == null ? fallback : Long.parseLong(value.toString().trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "property '" + name + "' of dead letters is no whole number", e);
        }
    }
}
