package dev.sluice.flink.deadletter;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A producer property of which dead letters have something to say: another default than Kafka's,
 * values that are not taken, or a meaning of its own. Every other property is Kafka's, as Kafka
 * describes it, unless it is {@link #refused}.
 */
public final class ProducerProperty {
    private static final String TEXT = "String";
    private static final String NUMBER = "Integer";

    static final ProducerProperty BOOTSTRAP_SERVERS =
            new ProducerProperty(
                    "bootstrap.servers",
                    "List",
                    "",
                    "Brokers of the dead-letter topic. Without it no letter is sent.",
                    "localhost:9092");
    static final ProducerProperty ACKS =
            new ProducerProperty(
                    "acks",
                    TEXT,
                    "all",
                    "Who must have a letter before the next record is read: all replicas, or with 1"
                            + " the leader alone. 0 is refused: a letter would count as sent that"
                            + " nobody has.",
                    "1");
    static final ProducerProperty LINGER =
            new ProducerProperty(
                    "linger.ms",
                    NUMBER,
                    "0",
                    "How long a letter waits for others; there are none, as each is waited for.",
                    "0");
    static final ProducerProperty CLIENT =
            new ProducerProperty(
                    "client.id",
                    TEXT,
                    "sluice-dead-letters",
                    "The name of the producer in the broker's logs and quotas.",
                    "orders-dead-letters");
    static final ProducerProperty BLOCK =
            new ProducerProperty(
                    "max.block.ms",
                    NUMBER,
                    "60000",
                    "How long a letter may wait until the topic is known.",
                    "10000");
    static final ProducerProperty DELIVERY =
            new ProducerProperty(
                    "delivery.timeout.ms",
                    NUMBER,
                    "120000",
                    "How long a letter may take after that. Kafka wants at least the sum of"
                            + " linger.ms and request.timeout.ms (30000).",
                    "60000");
    static final ProducerProperty COMPRESSION =
            new ProducerProperty(
                    "compression.type",
                    TEXT,
                    "none",
                    "none or gzip; the code of the others is not in the jar.",
                    "gzip");
    static final ProducerProperty MECHANISM =
            new ProducerProperty(
                    "sasl.mechanism",
                    TEXT,
                    "GSSAPI",
                    "How the producer logs in, where security.protocol says that it does."
                            + " OAUTHBEARER is refused: the code that it needs is not in the jar.",
                    "PLAIN");
    static final ProducerProperty JAAS =
            new ProducerProperty(
                    "sasl.jaas.config",
                    TEXT,
                    "",
                    "The credentials. Login modules of Kafka are named as in Kafka itself.",
                    "org.apache.kafka.common.security.plain.PlainLoginModule required"
                            + " username=\"alice\" password=\"secret\";");

    private static final String OTHER_JARS = "classes of other jars are not loaded";

    private final String name;
    private final String type;
    private final String defaultText;
    private final String description;
    private final String example;

    private ProducerProperty(
            String name, String type, String defaultText, String description, String example) {
        this.name = name;
        this.type = type;
        this.defaultText = defaultText;
        this.description = description;
        this.example = example;
    }

    /** In an order to be read. */
    public static List<ProducerProperty> all() {
        return List.of(
                BOOTSTRAP_SERVERS,
                ACKS,
                LINGER,
                CLIENT,
                BLOCK,
                DELIVERY,
                COMPRESSION,
                MECHANISM,
                JAAS);
    }

    /**
     * Names that are refused, each with the reason; one that ends in {@code *} stands for all that
     * begin so. Most name a class: the producer of the jar is Kafka's under another package name,
     * of which no such class knows.
     */
    public static Map<String, String> refused() {
        Map<String, String> refused = new TreeMap<>();
        refused.put("key.serializer", "letters are bytes as they came");
        refused.put("value.serializer", "letters are bytes as they came");
        refused.put("transactional.id", "each letter is sent by itself");
        for (String name :
                List.of(
                        "config.providers*",
                        "interceptor.classes",
                        "metric.reporters",
                        "partitioner.class",
                        "sasl.client.callback.handler.class",
                        "sasl.login.callback.handler.class",
                        "sasl.login.class",
                        "security.providers",
                        "ssl.engine.factory.class")) {
            refused.put(name, OTHER_JARS);
        }
        return refused;
    }

    public String name() {
        return name;
    }

    /** As Kafka names types: {@code String}, {@code Integer}, or {@code List}. */
    public String type() {
        return type;
    }

    /** The value that counts if none is given; empty if there is none. */
    public String defaultText() {
        return defaultText;
    }

    /** One or more sentences. */
    public String description() {
        return description;
    }

    /** A value that is accepted. */
    public String example() {
        return example;
    }
}
