package dev.sluice.flink.deadletter;

import java.io.Serializable;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Where the bytes of skipped records go, and what happens if they cannot go there. A value that
 * travels in the job and carries the producer's secrets; {@link #toString} shows none.
 */
public final class DeadLetterConfig implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final TreeMap<String, String> producer;
    private final boolean failsTask;
    private final String sourceTopic;
    private final boolean isKey;

    /**
     * @param topic that receives the letters
     * @param producer Kafka producer properties; without {@code bootstrap.servers} no letter is
     *     sent
     * @param failsTask whether a letter that is not acknowledged fails the task, or is only logged
     * @param sourceTopic the topic that the format was told, for the letter's header
     * @param isKey whether the records are keys
     * @throws IllegalArgumentException naming a producer property that cannot be honoured
     */
    public DeadLetterConfig(
            String topic,
            Map<String, String> producer,
            boolean failsTask,
            String sourceTopic,
            boolean isKey) {
        ProducerSettings.of(producer); // what is wrong is told while the table is planned
        this.topic = topic;
        this.producer = new TreeMap<>(producer);
        this.failsTask = failsTask;
        this.sourceTopic = sourceTopic;
        this.isKey = isKey;
    }

    public String topic() {
        return topic;
    }

    /** Secrets included; not to be changed. */
    Map<String, String> producer() {
        return producer;
    }

    /** Whether there is a broker to send to. */
    public boolean hasBroker() {
        String servers = producer.get(ProducerProperty.BOOTSTRAP_SERVERS.name());
        return servers != null && !servers.isBlank();
    }

    boolean failsTask() {
        return failsTask;
    }

    String sourceTopic() {
        return sourceTopic;
    }

    boolean isKey() {
        return isKey;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof DeadLetterConfig)) {
            return false;
        }
        DeadLetterConfig that = (DeadLetterConfig) other;
        return failsTask == that.failsTask
                && isKey == that.isKey
                && topic.equals(that.topic)
                && producer.equals(that.producer)
                && sourceTopic.equals(that.sourceTopic);
    }

    @Override
    public int hashCode() {
        return Objects.hash(topic, producer, failsTask, sourceTopic, isKey);
    }

    @Override
    public String toString() {
        return "dead letters to topic '" + topic + "'";
    }
}
