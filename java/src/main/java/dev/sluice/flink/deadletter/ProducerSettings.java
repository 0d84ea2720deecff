package dev.sluice.flink.deadletter;

import org.apache.kafka.clients.producer.ProducerConfig;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * The user's producer properties, completed: a letter is acknowledged by all replicas, and nothing
 * waits for more letters. The user's own values win, but for those that are refused.
 */
final class ProducerSettings {
    private static final Set<String> COMPRESSIONS = Set.of("none", "gzip");

    /** Kafka's own package, also as Flink's SQL connector renames it, before a class name. */
    private static final String MODULE_PACKAGE =
            "(?<![\\w.\"'])(org\\.apache\\.flink\\.kafka\\.shaded\\.)?org\\.apache\\.kafka\\."
                    + "(?=common\\.security\\.)";

    private final Map<String, Object> settings;

    private ProducerSettings(Map<String, Object> settings) {
        this.settings = settings;
    }

    /**
     * Checks what can be checked without a broker; Kafka checks the rest when the producer is made.
     *
     * @throws IllegalArgumentException naming a property that cannot be honoured, without its value
     */
    static ProducerSettings of(Map<String, String> given) {
        ProducerProperty.refused().forEach((name, reason) -> refuse(name, reason, given));
        refuseValues(given);
        Map<String, Object> settings = new TreeMap<>();
        for (ProducerProperty ours :
                new ProducerProperty[] {
                    ProducerProperty.ACKS, ProducerProperty.LINGER, ProducerProperty.CLIENT
                }) {
            settings.put(ours.name(), ours.defaultText());
        }
        settings.putAll(given);
        String jaas = given.get(ProducerProperty.JAAS.name());
        if (jaas != null) {
            settings.put(ProducerProperty.JAAS.name(), withOwnModules(jaas));
        }
        ProducerSettings completed = new ProducerSettings(settings);
        completed.patienceMillis(); // wrong numbers are told while the table is planned
        return completed;
    }

    private static void refuse(String name, String reason, Map<String, String> given) {
        String beginning = name.endsWith("*") ? name.substring(0, name.length() - 1) : null;
        for (String one : given.keySet()) {
            if (beginning == null ? one.equals(name) : one.startsWith(beginning)) {
                throw new IllegalArgumentException(
                        "property '" + one + "' of dead letters is not supported: " + reason);
            }
        }
    }

    private static void refuseValues(Map<String, String> given) {
        if (!COMPRESSIONS.contains(valueOf(ProducerProperty.COMPRESSION, given))) {
            throw new IllegalArgumentException(
                    "property 'compression.type' of dead letters must be none or gzip");
        }
        if (valueOf(ProducerProperty.MECHANISM, given).equals("OAUTHBEARER")) {
            throw new IllegalArgumentException(
                    "property 'sasl.mechanism' of dead letters cannot be OAUTHBEARER");
        }
        if (valueOf(ProducerProperty.ACKS, given).equals("0")) {
            throw new IllegalArgumentException(
                    "property 'acks' of dead letters cannot be 0: a letter would count as sent"
                            + " that no broker has");
        }
    }

    private static String valueOf(ProducerProperty property, Map<String, String> given) {
        return given.getOrDefault(property.name(), property.defaultText()).trim();
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
        return millis(ProducerProperty.BLOCK) + millis(ProducerProperty.DELIVERY);
    }

    private long millis(ProducerProperty property) {
        Object value = settings.getOrDefault(property.name(), property.defaultText());
        try {
            return Long.parseLong(value.toString().trim());
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(
                    "property '" + property.name() + "' of dead letters is no whole number", e);
        }
    }
}
