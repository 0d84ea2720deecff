package dev.sluice.flink.kafka;

import java.util.Arrays;
import java.util.Set;

/** What the property {@code interceptor.classes} of Kafka's clients names of ours. */
public final class InterceptorClasses {
    /** The option of a table that holds the property. */
    public static final String OPTION = "properties.interceptor.classes";

    /** For the connector with Kafka's own clients. */
    public static final String OF_KAFKA = "dev.sluice.flink.kafka.RecordInterceptor";

    private static final String OF_SQL_CONNECTOR =
            "dev.sluice.flink.kafka.shaded.RecordInterceptor";
    private static final Set<String> OURS = Set.of(OF_KAFKA, OF_SQL_CONNECTOR);

    /** What to write into a table. */
    public static final String HINT =
            String.format(
                    "Set '%s' = '%s'; with flink-sql-connector-kafka the class is %s.",
                    OPTION, OF_KAFKA, OF_SQL_CONNECTOR);

    // Joined, as names of Kafka's classes are relocated in the jar, also in texts.
    private static final String KAFKA_OF_SQL_CONNECTOR =
            String.join("/", "org/apache/flink/kafka/shaded", "org", "apache", "kafka")
                    + "/clients/consumer/ConsumerInterceptor.class";

    private InterceptorClasses() {}

    /**
     * The class for the connector that this class loader has. A relocated Kafka comes with the SQL
     * connector only; a plain one may be there for other reasons.
     */
    public static String of(ClassLoader loader) {
        return loader.getResource(KAFKA_OF_SQL_CONNECTOR) == null ? OF_KAFKA : OF_SQL_CONNECTOR;
    }

    /**
     * Whether the value of the property names our interceptor.
     *
     * @param classes names separated by commas; null for none
     */
    public static boolean nameOurs(String classes) {
        return classes != null
                && Arrays.stream(classes.split(",")).map(String::trim).anyMatch(OURS::contains);
    }
}
