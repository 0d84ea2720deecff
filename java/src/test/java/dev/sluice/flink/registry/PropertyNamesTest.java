package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

class PropertyNamesTest {
    private static final String URL = "http://r:1";

    @ParameterizedTest
    @CsvSource({
        "max.retry, max.retries",
        "schema.registry.http.read.timeout, schema.registry.http.read.timeout.ms",
        "schema.registry.ssl.truststore.file, schema.registry.ssl.truststore.type",
        "ssl.truststore.location, schema.registry.ssl.truststore.location",
        "schema.registry.missing.cache.size, missing.cache.size",
        "auto.register.schema, auto.register.schemas",
    })
    void anUnknownNameHasANearestOne(String unknown, String nearest) {
        assertThat(PropertyNames.isKnown(unknown)).isFalse();
        assertThat(PropertyNames.nearest(unknown)).isEqualTo(nearest);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "max.retries",
                "schema.registry.max.retries",
                "request.header.X-Team",
                "schema.registry.request.header.X-Team",
                "schema.registry.ssl.keystore.location",
                "latest.cache.ttl.sec",
                "value.subject.name.strategy",
                "key.subject.name.strategy",
                "subject.name.strategy.fallback.type",
                "value.schema.id.deserializer",
                "use.schema.id",
                "schema.registry.use.latest.version",
                "auto.register.schemas",
                "key.message-class",
                "sasl.jaas.config",
                "schema.registry.request.timeout.ms",
            })
    void whatSomebodyReadsIsKnown(String name) {
        assertThat(PropertyNames.isKnown(name)).isTrue();
    }

    @Test
    void everyListedPropertyIsAccepted() {
        for (PropertyName property : PropertyNames.all()) {
            assertThat(PropertyNames.isKnown(property.name())).as(property.name()).isTrue();
            assertThat(property.description()).endsWith(".");
        }
    }

    /** People copied them from one another; no client ever read them. */
    @Test
    void copiedNamesMeanTheRealOnes() {
        Map<String, String> copied = new HashMap<>();
        copied.put("schema.registry.request.timeout.ms", "10000");
        copied.put("schema.registry.connection.timeout.ms", "5000");
        copied.put("schema.registry.retry.backoff.ms", "1");
        RegistryConfig config = RegistryConfig.of(URL, copied);
        assertThat(config.attemptTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.retryPolicy().pauseMillisBound(0)).isEqualTo(1);
        copied.put("http.read.timeout.ms", "7");
        assertThat(RegistryConfig.of(URL, copied).attemptTimeout()).isEqualTo(Duration.ofMillis(7));
    }

    @Test
    void cachesAreSetByBareNamesOnly() {
        RegistryConfig config =
                RegistryConfig.of(
                        URL,
                        Map.of(
                                "missing.id.cache.ttl.sec", "0",
                                "schema.registry.missing.cache.size", "7",
                                "schema.registry.max.schemas.per.subject", "9"));
        assertThat(config.missingLifetime()).isZero();
        assertThat(config.missingCacheSize()).isEqualTo(10_000);
        assertThat(config.schemasMax()).isEqualTo(9);
    }
}
