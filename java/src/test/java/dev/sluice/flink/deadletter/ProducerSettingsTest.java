package dev.sluice.flink.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigDef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

class ProducerSettingsTest {
    private static DeadLetterConfig config(String name, String value) {
        return new DeadLetterConfig("dead", Map.of(name, value), true, "orders", false);
    }

    @Test
    void theyAreCompletedAndTheUsersWin() {
        Map<String, Object> settings = ProducerSettings.of(Map.of("linger.ms", "5")).asMap();
        assertThat(settings)
                .containsEntry("acks", "all")
                .containsEntry("linger.ms", "5")
                .containsEntry("client.id", "sluice-dead-letters");
        assertThat(ProducerSettings.of(Map.of("acks", "1")).asMap()).containsEntry("acks", "1");
        Map<String, String> times = Map.of("max.block.ms", "7", "delivery.timeout.ms", "30");
        assertThat(ProducerSettings.of(times).patienceMillis()).isEqualTo(37);
    }

    @ParameterizedTest
    @CsvSource({
        "transactional.id, orders",
        "key.serializer, org.apache.kafka.common.serialization.StringSerializer",
        "value.serializer, org.apache.kafka.common.serialization.StringSerializer",
        "interceptor.classes, x.Y",
        "partitioner.class, org.apache.kafka.clients.producer.RoundRobinPartitioner",
        "metric.reporters, x.Y",
        "config.providers, file",
        "config.providers.file.class, x.Y",
        "security.providers, x.Y",
        "compression.type, zstd",
        "sasl.mechanism, OAUTHBEARER",
        "acks, 0",
        "delivery.timeout.ms, soon",
    })
    void whatCannotBeHonouredIsRefusedByName(String name, String value) {
        assertThatThrownBy(() -> config(name, value))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "' of dead letters");
    }

    /** Kafka's own list, so that a newer Kafka cannot bring a class that nobody thought of. */
    @Test
    void everyPropertyThatNamesAClassIsRefused() {
        ProducerConfig.configDef().configKeys().values().stream()
                .filter(key -> key.type == ConfigDef.Type.CLASS || key.name.endsWith(".classes"))
                .forEach(key -> assertThat(ProducerProperty.refused()).containsKey(key.name));
    }

    @Test
    void everyListedPropertyIsOneOfKafkaWithAnExampleThatItTakes() {
        Map<String, String> examples = new HashMap<>();
        for (ProducerProperty property : ProducerProperty.all()) {
            examples.put(property.name(), property.example());
            ConfigDef.ConfigKey key = ProducerConfig.configDef().configKeys().get(property.name());
            Object parsed = ConfigDef.parseType(key.name, property.example(), key.type);
            if (key.validator != null) {
                key.validator.ensureValid(key.name, parsed);
            }
            assertThat(property.description()).endsWith(".");
        }
        assertThat(ProducerSettings.of(examples).asMap()).containsKeys("acks", "sasl.jaas.config");
    }

    /** Where we have no default of our own, the page tells Kafka's. */
    @Test
    void listedDefaultsAreOursOrThoseOfKafka() {
        Map<String, Object> completed = ProducerSettings.of(Map.of()).asMap();
        for (ProducerProperty property : ProducerProperty.all()) {
            Object ofKafka =
                    ProducerConfig.configDef().configKeys().get(property.name()).defaultValue;
            boolean isNone = ofKafka == null || ofKafka == ConfigDef.NO_DEFAULT_VALUE;
            Object holds =
                    completed.getOrDefault(
                            property.name(), isNone || List.of().equals(ofKafka) ? "" : ofKafka);
            assertThat(property.defaultText()).as(property.name()).isEqualTo(holds.toString());
        }
    }

    /**
     * Whichever Kafka the user's login modules are of, the producer has them in its own package.
     */
    @Test
    void loginModulesAreThoseOfTheProducer() {
        String rest = " required username=\"u\" password=\"a.kafka.b\";";
        for (String prefix : List.of("org.apache.", "org.apache.flink.kafka.shaded.org.apache.")) {
            assertThat(
                            ProducerSettings.withOwnModules(
                                    prefix + "kafka.common.security.plain.PlainLoginModule" + rest))
                    .isEqualTo("org.apache.kafka.common.security.plain.PlainLoginModule" + rest);
        }
        String own = "com.example.kafka.common.security.Login" + rest;
        assertThat(ProducerSettings.withOwnModules(own)).isEqualTo(own);
    }
}
