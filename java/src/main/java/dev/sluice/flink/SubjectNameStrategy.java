package dev.sluice.flink;

/**
 * Names the subject under which the schemas of a topic stand in the registry. Confluent's own
 * strategies are known by their class names; a class of yours implements this, has a public
 * constructor without parameters, and is named in {@code value.subject.name.strategy} or {@code
 * key.subject.name.strategy}. It is asked where the table is planned, and only there.
 */
@FunctionalInterface
public interface SubjectNameStrategy {
    /**
     * @param isKey whether the schema is that of the topic's keys
     * @param messageName full name of the message; null where it is not known, if {@link
     *     #needsMessage()} is false
     */
    String subject(String topic, boolean isKey, String messageName);

    /** Whether a subject can only be named for a message; true unless overridden. */
    default boolean needsMessage() {
        return true;
    }
}
