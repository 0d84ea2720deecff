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

import java.util.Map;
import java.util.stream.Stream;

class ProtobufNativeFormatFactoryTest {

    private static final String TIMESTAMP = "com.google.protobuf.Timestamp";
    private static final Column SECONDS = Column.physical("seconds", DataTypes.BIGINT());

    @Test
    void isFoundUnderItsNameForKeyAndValue() {
        Map<String, String> options = FakeKafka.nativeOptions(TIMESTAMP);
        options.put("key.format", "protobuf-native");
        options.put("key.protobuf-native.message-class-name", TIMESTAMP);
        assertThat(FakeKafka.decoding(options, SECONDS))
                .isInstanceOf(ProtobufNativeDecodingFormat.class);
    }

    @ParameterizedTest
    @CsvSource({
        "ignore-parse-errors, true",
        "read-default-values, true",
        "write-null-string-literal, NULL",
        "engine, native"
    })
    void optionsAreThoseOfFlinkAndTheEngine(String option, String value) {
        assertThat(FakeKafka.decoding(FakeKafka.nativeOptions(TIMESTAMP, option, value), SECONDS))
                .isNotNull();
    }

    @Test
    void theClassIsRequired() {
        Map<String, String> options = FakeKafka.nativeOptions(TIMESTAMP);
        options.remove("value.protobuf-native.message-class-name");
        assertThatThrownBy(() -> FakeKafka.decoding(options, SECONDS))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("message-class-name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "no.such.Message",
                "com.google.protobuf.timestamp", // a class of another case is none
                "java.lang.String",
                "com.google.protobuf.TimestampProto", // the file, not the message
                "com.google.protobuf.NullValue", // an enum
                "com.google.protobuf.Message",
                ""
            })
    void aClassThatIsNoMessageIsRefusedByName(String name) {
        assertThatThrownBy(() -> FakeKafka.decoding(FakeKafka.nativeOptions(name), SECONDS))
                .hasStackTraceContaining("Option 'message-class-name': " + name + " is not")
                .hasStackTraceContaining(ValidationException.class.getName());
    }

    @Test
    void filesAreRefused() {
        Map<String, String> options =
                Map.of(
                        "connector", "filesystem",
                        "format", "protobuf-native",
                        "protobuf-native.message-class-name", TIMESTAMP);
        assertThatThrownBy(() -> FakeKafka.decoding(options, SECONDS))
                .rootCause()
                .isInstanceOf(ValidationException.class)
                .hasMessage(
                        "The 'protobuf-native' format is not supported for the 'filesystem'"
                                + " connector.");
    }

    @Test
    void sinksWithEqualSettingsAreEqual() {
        Object format = FakeKafka.encoding(FakeKafka.nativeOptions(TIMESTAMP), SECONDS);

        assertThat(format)
                .isEqualTo(FakeKafka.encoding(FakeKafka.nativeOptions(TIMESTAMP), SECONDS))
                .hasToString("protobuf-native(message-class-name=" + TIMESTAMP + ", engine=auto)")
                .isNotEqualTo(
                        FakeKafka.encoding(
                                FakeKafka.nativeOptions(
                                        TIMESTAMP, "write-null-string-literal", "n"),
                                SECONDS));
    }

    @Test
    void anEscapeThatJavaHasNotIsRefused() {
        assertThatThrownBy(
                        () ->
                                FakeKafka.encoding(
                                        FakeKafka.nativeOptions(
                                                TIMESTAMP, "write-null-string-literal", "\\q"),
                                        SECONDS))
                .rootCause()
                .hasMessageContaining("'\\q' is no escape");
    }

    static Stream<ConfigOption<?>> options() {
        ProtobufNativeFormatFactory factory = new ProtobufNativeFormatFactory();
        return Stream.concat(
                factory.requiredOptions().stream(), factory.optionalOptions().stream());
    }

    @ParameterizedTest
    @MethodSource("options")
    void everyOptionIsDescribed(ConfigOption<?> option) {
        assertThat(new HtmlFormatter().format(option.description())).endsWith(".");
    }
}
