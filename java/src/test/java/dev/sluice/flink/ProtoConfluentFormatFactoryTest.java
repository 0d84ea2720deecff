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
    void sinksWithEqualSettingsAreEqual() {
        assertThat(FakeKafka.encoding(FakeKafka.options(), ID))
                .isEqualTo(FakeKafka.encoding(FakeKafka.options(), ID))
                .isNotEqualTo(
                        FakeKafka.encoding(
                                FakeKafka.options(PREFIX + "auto-register-schemas", "true"), ID))
                .hasToString(
                        "proto-confluent(engine=auto, registry=RegistryConfig{"
                                + "urls=[http://registry:8081], credentials=NONE, properties=[]})");
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
        "on-deserialize-error, skip",
        "on-deserialize-error, fial",
        "dead-letter-topic, dead",
        "dead-letter.properties, 'bootstrap.servers:''kafka:9092'',acks:all'",
        "dead-letter.properties.bootstrap.servers, kafka:9092",
        "dead-letter.on-failure, log",
        "validate-at-planning, false",
        "subject, s",
        "schema-registry.subject, s",
        "schema, syntax = \"proto3\"; message A {}",
        "message-name, shop.Order",
        "auto-register-schemas, true",
        "use-schema-id, 7",
        "properties.use.latest.version, true",
        "properties.use.latest.with.metadata, 'major=1,minor=''2,3'''",
        "properties.use.message.indexes, '1, 0'",
        "properties.use.schema.guid, 01020304-0506-0708-090a-0b0c0d0e0f10",
        "properties.latest.cache.ttl.sec, 60",
        "properties.schema.registry.latest.cache.ttl.sec, not read",
        "unframed-records, latest",
        "unframed-records, fail",
        "engine, auto",
        "engine, native",
        "row-format, auto",
        "row-format, binary",
        "row-format, generic",
        "batch.max-bytes, 0",
        "batch.max-bytes, 1 mb",
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
        "message-class, com.example.Order, Option 'message-class': com.example.Order",
        "properties.value.message-class, com.example.Order, Option 'message-class'",
        "properties.value.subject.name.strategy, com.example.Mine, 'com.example.Mine'",
        "properties.value.schema.id.deserializer, x.Y, value.schema.id.deserializer",
        "properties.context.name.strategy, x.Y, context.name.strategy",
        "properties.use.schema.guid, 12, use.schema.guid",
        "properties.use.message.indexes, 1;2, use.message.indexes",
        "properties.use.latest.with.metadata, major, use.latest.with.metadata",
        "properties.latest.cache.ttl.sec, soon, latest.cache.ttl.sec",
    })
    void choiceOfASchemaThatCannotBeMadeIsRefusedByName(String option, String value, String named) {
        assertThatThrownBy(() -> FakeKafka.decoding(FakeKafka.options(PREFIX + option, value), ID))
                .hasStackTraceContaining("ValidationException: ")
                .hasStackTraceContaining(named);
    }

    /** Whoever asks for records without frame must say what they are. */
    @Test
    void recordStrategyWithoutAMessageIsRefusedOnlyWhereItIsNeeded() {
        String strategy = PREFIX + "properties.value.subject.name.strategy";
        String name = "io.confluent.kafka.serializers.subject.RecordNameStrategy";
        assertThat(FakeKafka.decoding(FakeKafka.options(strategy, name), ID)).isNotNull();
        assertThat(
                        FakeKafka.decoding(
                                FakeKafka.options(
                                        strategy,
                                        name,
                                        PREFIX + "unframed-records",
                                        "latest",
                                        PREFIX + "message-name",
                                        "shop.Order"),
                                ID))
                .isNotNull();
        for (String asking : new String[] {"unframed-records", "properties.use.latest.version"}) {
            String value = asking.startsWith("un") ? "latest" : "true";
            assertThatThrownBy(
                            () ->
                                    FakeKafka.decoding(
                                            FakeKafka.options(
                                                    strategy, name, PREFIX + asking, value),
                                            ID))
                    .hasStackTraceContaining("ValidationException: ")
                    .hasStackTraceContaining("RecordNameStrategy")
                    .hasStackTraceContaining("'message-name'");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "transactional.id, orders",
        "interceptor.classes, x.Y",
        "value.serializer, x.Y",
        "compression.type, lz4",
        "max.block.ms, soon",
    })
    void producerPropertyThatCannotBeHonouredIsRefusedByName(String name, String value) {
        Map<String, String> options =
                FakeKafka.options(
                        PREFIX + "on-deserialize-error", "skip",
                        PREFIX + "dead-letter-topic", "dead",
                        PREFIX + "dead-letter.properties." + name, value);
        assertThatThrownBy(() -> FakeKafka.decoding(options, ID))
                .hasStackTraceContaining("ValidationException: Format 'proto-confluent':")
                .hasStackTraceContaining("'" + name + "' of dead letters");
    }

    /**
     * One text, or one option for each. In the text a value with a colon stands in quotes; if it
     * has a comma, so does the whole entry, and what is quoted in it is quoted twice.
     */
    @ParameterizedTest
    @ValueSource(strings = {"properties", "dead-letter.properties"})
    void bothFormsOfAMapMeanTheSame(String map) {
        boolean isOfClient = map.equals("properties");
        String quoted = isOfClient ? "request.header.X" : "bootstrap.servers";
        String plain = isOfClient ? "max.retries" : "acks";
        Object each = withMap(map + "." + quoted, "a:1", map + "." + plain, "1");
        assertThat(withMap(map, quoted + ":'a:1'," + plain + ":1")).isEqualTo(each);
        assertThat(withMap(map, quoted + ":'a:1'", map + "." + plain, "1")).isEqualTo(each);
        assertThat(withMap(map, quoted + ":'a:1'", map + "." + quoted, "b:2"))
                .isEqualTo(withMap(map + "." + quoted, "b:2"));
        assertThat(withMap(map, quoted + ":'a:1'")).isNotEqualTo(each);
        assertThat(withMap(map, quoted + ":'a:2'," + plain + ":1")).isNotEqualTo(each);
        assertThat(withMap(map, "'" + quoted + ":''a:1,b:2'''," + plain + ":1"))
                .isEqualTo(withMap(map + "." + quoted, "a:1,b:2", map + "." + plain, "1"));
    }

    private static Object withMap(String... options) {
        Map<String, String> all =
                FakeKafka.options(
                        PREFIX + "on-deserialize-error", "skip",
                        PREFIX + "dead-letter-topic", "dead");
        for (int at = 0; at < options.length; at += 2) {
            all.put(PREFIX + options[at], options[at + 1]);
        }
        return FakeKafka.decoding(all, ID);
    }

    @ParameterizedTest
    @CsvSource({
        "is_key, maybe",
        "use-schema-id, x",
        "unframed-records, skip",
        "validate-at-planning, maybe",
        "dead-letter.on-failure, x",
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
                        PREFIX + "url", "http://alice:s3cret1@registry:8081",
                        PREFIX + "basic-auth.credentials-source", "USER_INFO",
                        PREFIX + "basic-auth.user-info", "bob:s3cret2",
                        PREFIX + "properties.request.header.X-Key", "s3cret3");
        ProtoConfluentDecodingFormat format =
                (ProtoConfluentDecodingFormat) FakeKafka.decoding(options, ID);
        assertThat(format.asSummaryString() + format)
                .contains("http://registry:8081")
                .doesNotContain("s3cret");
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
