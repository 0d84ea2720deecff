package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.ValidationException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

class ProtoConfluentRegistryPropertiesTest {

    /** Option, the property it becomes, its default, a value of the option, one of the property. */
    private static final String[][] SETTINGS = {
        {"auto-register-schemas", "auto.register.schemas", "false", "false", "true"},
        {"normalize-schemas", "normalize.schemas", "true", "true", "false"},
        {"use-schema-id", "use.schema.id", "-1", "3", "4"},
        {"skip-known-types", "skip.known.types", "true", "true", "false"},
        {"basic-auth.credentials-source", "basic.auth.credentials.source", null, "URL", "B"},
        {"basic-auth.user-info", "basic.auth.user.info", null, "a:b", "c"},
        {"bearer-auth.credentials-source", "bearer.auth.credentials.source", null, "A", "B"},
        {"bearer-auth.token", "bearer.auth.token", null, "t", "u"},
        {"ssl.keystore.location", "schema.registry.ssl.keystore.location", null, "/a", "/b"},
        {"ssl.keystore.password", "schema.registry.ssl.keystore.password", null, "p", "q"},
        {"ssl.truststore.location", "schema.registry.ssl.truststore.location", null, "/a", "/b"},
        {"ssl.truststore.password", "schema.registry.ssl.truststore.password", null, "p", "q"},
        {"message-class", "value.message-class", null, "A", "B"},
    };

    static List<Arguments> spellings() {
        List<Arguments> spellings = new ArrayList<>();
        for (String[] setting : SETTINGS) {
            List<String> names = new ArrayList<>(List.of(setting[1]));
            if (!setting[1].startsWith("schema.registry.")) {
                names.add("schema.registry." + setting[1]);
            }
            if (setting[0].equals("message-class")) {
                names.add("message-class");
            }
            for (String name : names) {
                spellings.add(
                        Arguments.of(
                                setting[0], setting[1], setting[2], name, setting[3], setting[4]));
            }
        }
        return spellings;
    }

    @ParameterizedTest(name = "{0} and {3}")
    @MethodSource("spellings")
    void optionThenPropertyThenDefault(
            String option,
            String becomes,
            String fallback,
            String spelling,
            String ofOption,
            String ofProperty) {
        String tunneled = "properties." + spelling;
        assertThat(of()).hasEntrySatisfying("schema.registry.url", url -> {});
        assertThat(of().get(becomes)).isEqualTo(fallback);
        assertThat(of(tunneled, ofProperty).get(becomes)).isEqualTo(ofProperty);
        assertThat(of(option, ofOption).get(becomes)).isEqualTo(ofOption);
        assertThat(of(option, ofOption, tunneled, ofProperty).get(becomes)).isEqualTo(ofOption);
        // One setting, one name.
        if (!spelling.equals(becomes)) {
            assertThat(of(option, ofOption, tunneled, ofProperty)).doesNotContainKey(spelling);
        }
    }

    @Test
    void urlOfTheOptionWins() {
        assertThat(of("properties.schema.registry.url", "http://other"))
                .containsEntry("schema.registry.url", "http://registry:8081");
    }

    @Test
    void prefixedNameWinsOverTheBareOne() {
        assertThat(
                        of(
                                "properties.use.schema.id",
                                "1",
                                "properties.schema.registry.use.schema.id",
                                "2"))
                .containsEntry("use.schema.id", "2");
    }

    @ParameterizedTest
    @CsvSource({"true, key, value", "false, value, key"})
    void messageClassIsThatOfTheRole(String isKey, String role, String other) {
        assertThat(
                        of(
                                "is_key",
                                isKey,
                                "properties." + role + ".message-class",
                                "Mine",
                                "properties." + other + ".message-class",
                                "Other",
                                "properties.message-class",
                                "Any"))
                .containsEntry(role + ".message-class", "Mine")
                .containsEntry(other + ".message-class", "Other");
        assertThat(
                        of(
                                "is_key",
                                isKey,
                                "message-class",
                                "Typed",
                                "properties." + role + ".message-class",
                                "Mine",
                                "properties." + other + ".message-class",
                                "Other"))
                .containsEntry(role + ".message-class", "Typed")
                .containsEntry(other + ".message-class", "Other");
    }

    @Test
    void tlsSettingsAreReadWithThePrefixOnly() {
        assertThat(of("properties.ssl.keystore.location", "/of/kafka"))
                .doesNotContainKey("schema.registry.ssl.keystore.location");
    }

    @Test
    void bothFormsOfTheMapCountTogether() {
        assertThat(of("properties", "a:1,b:2", "properties.b", "3", "properties.c.d", "4"))
                .containsEntry("a", "1")
                .containsEntry("b", "3")
                .containsEntry("c.d", "4");
    }

    /** What stands where names stand may be a password. */
    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                "basic.auth.user.info:me:s3cret",
                "basic.auth.credentials.source:'URL',basic.auth.user.info:'me:s3cret: 1'",
                "s3cret",
                "s3cret word:x"
            })
    void aMapThatFlinkReadsInAnotherWayIsRefusedWithoutWhatItHolds(String text) {
        for (String option : List.of("properties", "dead-letter.properties")) {
            ConfigOption<Map<String, String>> map =
                    ConfigOptions.key(option).mapType().noDefaultValue();
            Configuration options = new Configuration();
            options.setString(option, text);
            assertThatThrownBy(() -> ProtoConfluentRegistryProperties.map(map, options))
                    .isInstanceOf(ValidationException.class)
                    .hasMessageContaining("Option '" + option + "'")
                    .hasMessageNotContaining("s3cret")
                    .hasNoCause();
        }
    }

    @Test
    void otherPropertiesPassAsTheyAre() {
        assertThat(of("properties.schema.registry.max.retries", "5", "properties.x", "y"))
                .containsEntry("schema.registry.max.retries", "5")
                .containsEntry("x", "y");
    }

    private static Map<String, String> of(String... options) {
        Map<String, String> all = new HashMap<>(Map.of("url", "http://registry:8081"));
        for (int at = 0; at < options.length; at += 2) {
            all.put(options[at], options[at + 1]);
        }
        return ProtoConfluentRegistryProperties.of(Configuration.fromMap(all));
    }
}
