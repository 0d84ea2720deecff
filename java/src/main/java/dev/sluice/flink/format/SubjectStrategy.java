package dev.sluice.flink.format;

import dev.sluice.flink.SubjectNameStrategy;

import java.util.Arrays;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * How a subject is named (S1 to S4), under the class names that people have in the configuration of
 * their clients. The classes themselves are not needed.
 */
public enum SubjectStrategy implements SubjectNameStrategy {
    /** {@code <topic>-key} or {@code <topic>-value}. */
    TOPIC("TopicNameStrategy"),
    /** The full name of the message. */
    RECORD("RecordNameStrategy"),
    /** {@code <topic>-<full name of the message>}. */
    TOPIC_RECORD("TopicRecordNameStrategy");

    private static final String PACKAGE = "io.confluent.kafka.serializers.subject.";
    private static final String ASSOCIATED = "AssociatedNameStrategy";

    private final String className;

    SubjectStrategy(String className) {
        this.className = className;
    }

    /**
     * The strategy of a class name, with or without its package.
     *
     * @param name null or blank for the default, {@link #TOPIC}
     * @param fallback value of {@code subject.name.strategy.fallback.type}, which is what {@code
     *     AssociatedNameStrategy} comes to where a registry has no associations (S4); null for its
     *     default, TOPIC
     * @throws IllegalArgumentException for any other class, naming the known ones
     */
    public static SubjectStrategy of(String name, String fallback) {
        if (name == null || name.isBlank()) {
            return TOPIC;
        }
        String trimmed = name.trim();
        String simple = trimmed.startsWith(PACKAGE) ? trimmed.substring(PACKAGE.length()) : trimmed;
        if (simple.equals(ASSOCIATED)) {
            return ofFallback(fallback);
        }
        Optional<SubjectStrategy> known =
                Arrays.stream(values()).filter(one -> one.className.equals(simple)).findFirst();
        return known.orElseThrow(
                () ->
                        new IllegalArgumentException(
                                String.format(
                                        "subject name strategy '%s' is not known; known are %s and"
                                                + " %s of %s",
                                        trimmed, names(), ASSOCIATED, PACKAGE)));
    }

    private static SubjectStrategy ofFallback(String type) {
        if (type == null || type.isBlank()) {
            return TOPIC;
        }
        try {
            return valueOf(type.trim());
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'subject.name.strategy.fallback.type' must be TOPIC, RECORD or TOPIC_RECORD,"
                            + " not '"
                            + type.trim()
                            + "'",
                    e);
        }
    }

    private static String names() {
        return Arrays.stream(values()).map(one -> one.className).collect(Collectors.joining(", "));
    }

    @Override
    public boolean needsMessage() {
        return this != TOPIC;
    }

    @Override
    public String subject(String topic, boolean isKey, String message) {
        switch (this) {
            case RECORD:
                return message;
            case TOPIC_RECORD:
                return topic + "-" + message;
            default:
                return topic + (isKey ? "-key" : "-value");
        }
    }

    /** The simple class name. */
    @Override
    public String toString() {
        return className;
    }
}
