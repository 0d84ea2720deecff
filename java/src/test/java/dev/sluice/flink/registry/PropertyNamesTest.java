package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
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
        "use.latest.versions, use.latest.version",
        "use.schema.uid, use.schema.id",
        "subject.name.strategy, key.subject.name.strategy",
        "my.value.subject.name.strategy, value.subject.name.strategy",
        "subject.name.strategy.fallback, subject.name.strategy.fallback.type",
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
                "use.schema.guid",
                "use.latest.version",
                "use.latest.with.metadata",
                "use.message.indexes",
                "use.apache.http.client",
                "rule.service.loader.enable",
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
    void everyListedPropertyIsKnown() {
        List<PropertyName> listed = new ArrayList<>(PropertyNames.all());
        listed.addAll(PropertyNames.ofReader());
        for (PropertyName property : listed) {
            assertThat(PropertyNames.isKnown(property.name())).as(property.name()).isTrue();
            assertThat(property.description()).endsWith(".");
            assertThat(property.example()).as(property.name()).isNotBlank();
        }
        assertThat(PropertyNames.ofOthers()).allMatch(PropertyNames::isKnown);
    }

    /** Others with the same beginning stand beside it: credentials without a source are refused. */
    private static Map<String, String> besides(PropertyName property) {
        String family = property.name().replace(PropertyNames.PREFIX, "").split("\\.")[0] + ".";
        Map<String, String> examples = new HashMap<>();
        for (PropertyName one : PropertyNames.all()) {
            if (one.name().replace(PropertyNames.PREFIX, "").startsWith(family)) {
                examples.put(one.name().replace("<Name>", "X-Team"), one.example());
            }
        }
        if (family.equals("sasl.")) {
            examples.put("basic.auth.credentials.source", "SASL_INHERIT");
        }
        return examples;
    }

    @Test
    void everyExampleIsReadAndOfItsType() {
        for (PropertyName property : PropertyNames.all()) {
            Map<String, String> examples = besides(property);
            String name = property.name().replace("<Name>", "X-Team");
            RegistryConfig config = RegistryConfig.of(URL, examples);
            assertThat(config.toString()).contains(name.replace(PropertyNames.PREFIX, ""));
            if (property.type().equals("Integer")) {
                examples.put(name, "soon");
                assertThatThrownBy(() -> RegistryConfig.of(URL, examples))
                        .hasMessageContaining("'" + name + "' must be a whole number");
            } else if (property.type().equals("Boolean")) {
                assertThat(property.example()).isEqualTo("true");
            }
        }
    }

    /** People copied them from one another; no client ever read them. */
    @Test
    void copiedNamesMeanTheRealOnes() {
        Map<String, String> copied = new HashMap<>();
        copied.put("schema.registry.request.timeout.ms", "10000");
        copied.put("schema.registry.connection.timeout.ms", "5000");
        copied.put("schema.registry.retry.backoff.ms", "700");
        RegistryConfig config = RegistryConfig.of(URL, copied);
        assertThat(config.attemptTimeout()).isEqualTo(Duration.ofSeconds(10));
        assertThat(config.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        // The first pause is the value, the next ones double it.
        assertThat(config.retryPolicy().pauseMillisBound(0)).isEqualTo(700);
        assertThat(config.retryPolicy().pauseMillisBound(1)).isEqualTo(1400);
        copied.put("retries.wait.ms", "30");
        assertThat(RegistryConfig.of(URL, copied).retryPolicy().pauseMillisBound(0)).isEqualTo(30);
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
