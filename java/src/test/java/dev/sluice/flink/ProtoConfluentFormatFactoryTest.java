package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.description.HtmlFormatter;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

class ProtoConfluentFormatFactoryTest {

    private static final String PREFIX = "value.proto-confluent.";
    private static final Column ID = Column.physical("id", DataTypes.BIGINT());

    @Test
    void isFoundUnderItsNameForKeyAndValue() {
        Map<String, String> options =
                FakeKafka.options(
                        "key.format", "proto-confluent",
                        "key.proto-confluent.url", "http://registry:8081",
                        "key.proto-confluent.topic", "orders",
                        "key.proto-confluent.is_key", "true");
        assertThat(FakeKafka.decoding(options, ID))
                .isInstanceOf(ProtoConfluentDecodingFormat.class);
    }

    @Test
    void isFoundWithoutARolePrefix() {
        Map<String, String> options =
                Map.of(
                        "connector", "kafka",
                        "format", "proto-confluent",
                        "proto-confluent.url", "http://registry:8081",
                        "proto-confluent.topic", "orders");
        assertThat(FakeKafka.decoding(options, ID))
                .isInstanceOf(ProtoConfluentDecodingFormat.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"url", "topic"})
    void sourceAndSinkNameARequiredOptionThatIsMissing(String option) {
        Map<String, String> options = FakeKafka.options();
        options.remove(PREFIX + option);
        assertThatThrownBy(() -> FakeKafka.decoding(options, ID))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Missing required options are:\n\n" + option);
        assertThatThrownBy(() -> FakeKafka.encoding(options, ID))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Missing required options are:\n\n" + option);
    }

    @Test
    void sinkIsRefused() {
        assertThatThrownBy(() -> FakeKafka.encoding(FakeKafka.options(), ID))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "Format 'proto-confluent' cannot write yet: table c.d.t can only be read.");
    }

    @Test
    void unknownOptionIsRefusedByFlink() {
        assertThatThrownBy(() -> FakeKafka.decoding(FakeKafka.options(PREFIX + "urll", "x"), ID))
                .hasMessageContaining(PREFIX + "urll");
    }

    @ParameterizedTest
    @CsvSource({
        "schema-registry.url, http://r:1",
        "is_key, true",
        "is-key, true",
        "auto-register-schemas, false",
        "auto_register_schemas, false",
        "normalize-schemas, true",
        "normalize_schemas, true",
        "use-schema-id, -1",
        "use_schema_id, -1",
        "skip-known-types, true",
        "skip_known_types, true",
        "basic-auth.credentials-source, URL",
        "on-deserialize-error, FAIL",
        "unframed-records, latest",
        "unframed-records, fail",
        "engine, auto",
        "engine, native",
        "row-format, auto",
        "row-format, binary",
        "row-format, generic",
        "properties, max.retries:1",
        "properties, 'request.header.X:''a:b'',max.retries:1'",
        "properties.max.retries, 1",
        "properties.schema.registry.max.retries, 1",
        "properties.auto.register.schemas, false",
        "properties.key.message-class, of.the.other.Role",
    })
    void optionIsAccepted(String option, String value) {
        assertThat(FakeKafka.decoding(FakeKafka.options(PREFIX + option, value), ID)).isNotNull();
    }

    @Test
    void fallbackKeyServesForTheUrl() {
        Map<String, String> options =
                FakeKafka.options(PREFIX + "schema-registry.url", "http://fallback:1");
        options.remove(PREFIX + "url");
        assertThat(FakeKafka.decoding(options, ID).toString()).contains("http://fallback:1");
    }

    @ParameterizedTest
    @CsvSource({
        "subject, s, subject",
        "schema-registry.subject, s, subject",
        "schema, s, schema",
        "schema-registry.schema, s, schema",
        "message-class, com.example.Order, message-class",
        "message-name, shop.Order, message-name",
        "auto-register-schemas, true, auto-register-schemas",
        "auto_register_schemas, true, auto-register-schemas",
        "properties.auto.register.schemas, true, auto.register.schemas",
        "properties.schema.registry.auto.register.schemas, true, auto-register-schemas",
        "normalize-schemas, false, normalize-schemas",
        "normalize_schemas, false, normalize-schemas",
        "use-schema-id, 7, use-schema-id",
        "use_schema_id, 7, use-schema-id",
        "skip-known-types, false, skip-known-types",
        "skip_known_types, false, skip-known-types",
        "properties.value.message-class, com.example.Order, value.message-class",
        "on-deserialize-error, skip, on-deserialize-error",
        "on-deserialize-error, fial, on-deserialize-error",
        "dead-letter-topic, dead, dead-letter-topic",
        "dead-letter.properties, bootstrap.servers:'k', dead-letter.properties",
        "dead-letter.properties.bootstrap.servers, k:9092, dead-letter.properties",
        "properties.use.latest.version, true, use.latest.version",
        "properties, schema.registry.use.latest.version:true, use.latest.version",
    })
    void optionOfAFunctionThatIsNotBuiltIsRefusedByName(String option, String value, String named) {
        assertThatThrownBy(() -> FakeKafka.decoding(FakeKafka.options(PREFIX + option, value), ID))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'" + named + "'")
                .hasMessageContaining("not built");
    }

    @ParameterizedTest
    @CsvSource({
        "is_key, maybe",
        "use-schema-id, x",
        "unframed-records, skip",
        "engine, go",
        "row-format, x"
    })
    void valueOfAWrongTypeIsRefusedByName(String option, String value) {
        assertThatThrownBy(() -> FakeKafka.decoding(FakeKafka.options(PREFIX + option, value), ID))
                .hasStackTraceContaining("Invalid value for option '" + option + "'");
    }

    @Test
    void contradictionInRegistrySettingsIsAValidationException() {
        Map<String, String> options =
                FakeKafka.options(PREFIX + "basic-auth.credentials-source", "NOBODY");
        assertThatThrownBy(() -> FakeKafka.decoding(options, ID))
                .hasStackTraceContaining("ValidationException: Format 'proto-confluent':")
                .hasStackTraceContaining("basic.auth.credentials.source");
    }

    @Test
    void secretsStayOutOfSummaries() {
        Map<String, String> options =
                FakeKafka.options(
                        PREFIX + "url", "http://alice:wonder1@registry:8081",
                        PREFIX + "basic-auth.credentials-source", "USER_INFO",
                        PREFIX + "basic-auth.user-info", "bob:wonder2",
                        PREFIX + "properties.request.header.X-Key", "wonder3");
        ProtoConfluentDecodingFormat format =
                (ProtoConfluentDecodingFormat) FakeKafka.decoding(options, ID);
        assertThat(format.asSummaryString() + format)
                .contains("http://registry:8081")
                .doesNotContain("wonder");
    }

    static Stream<ConfigOption<?>> options() {
        ProtoConfluentFormatFactory factory = new ProtoConfluentFormatFactory();
        return Stream.concat(
                factory.requiredOptions().stream(), factory.optionalOptions().stream());
    }

    @ParameterizedTest
    @MethodSource("options")
    void everyOptionIsDescribed(ConfigOption<?> option) {
        assertThat(new HtmlFormatter().format(option.description())).endsWith(".");
    }

    @Test
    void everyDeclaredOptionIsKnownToTheFactory() throws ReflectiveOperationException {
        Set<Object> declared = new HashSet<>();
        for (var field : ProtoConfluentFormatOptions.class.getFields()) {
            declared.add(field.get(null));
        }
        assertThat(options().map(Object.class::cast)).containsExactlyInAnyOrderElementsOf(declared);
    }
}
