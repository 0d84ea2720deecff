package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.sluice.flink.deadletter.ProducerProperty;
import dev.sluice.flink.registry.PropertyName;
import dev.sluice.flink.registry.PropertyNames;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.factories.Factory;
import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds {@code docs/configuration.md} against the classes: every option and property stands there
 * as its class describes it, and every example is taken by the format. {@code ./dev configuration}
 * writes the tables anew.
 */
class ConfigurationPageTest {
    private static final Path PAGE = Path.of(System.getProperty("sluice.docs"), "configuration.md");
    private static final String BEGIN = "<!-- asked of the classes: %s -->\n";
    private static final String END = "<!-- end -->\n";
    private static final Column ID = Column.physical("seconds", DataTypes.BIGINT());

    @Test
    void thePageSaysWhatTheClassesDo() throws Exception {
        String page = Files.readString(PAGE);
        String asked = page;
        for (Map.Entry<String, String> table : tables().entrySet()) {
            asked = with(asked, table.getKey(), table.getValue());
        }
        if (Boolean.getBoolean("sluice.rewrite")) {
            Files.writeString(PAGE, asked);
        } else {
            assertThat(page).as("./dev configuration brings it up to date").isEqualTo(asked);
        }
    }

    private static Map<String, String> tables() throws Exception {
        Map<String, String> tables = new LinkedHashMap<>();
        tables.put(
                "options of proto-confluent",
                ConfigurationTables.ofOptions(
                        ProtoConfluentFormatOptions.class,
                        new ProtoConfluentFormatFactory().requiredOptions(),
                        OptionExamples.ofProtoConfluent()));
        tables.put(
                "options of protobuf-native",
                ConfigurationTables.ofOptions(
                        ProtobufNativeFormatOptions.class,
                        new ProtobufNativeFormatFactory().requiredOptions(),
                        OptionExamples.ofProtobufNative()));
        tables.put("client properties", ConfigurationTables.ofProperties(PropertyNames.all()));
        tables.put("reader properties", ConfigurationTables.ofProperties(PropertyNames.ofReader()));
        tables.put(
                "copied names",
                ConfigurationTables.ofNames(
                        "name", "what it means", inCode(PropertyNames.misnomers())));
        tables.put(
                "refused properties",
                ConfigurationTables.ofNames("property", "why", PropertyNames.refused()));
        tables.put("properties of others", ConfigurationTables.ofOthers());
        tables.put("dead-letter properties", ConfigurationTables.ofProducer());
        tables.put(
                "refused dead-letter properties",
                ConfigurationTables.ofNames("property", "why", ProducerProperty.refused()));
        return tables;
    }

    private static Map<String, String> inCode(Map<String, String> names) {
        Map<String, String> code = new TreeMap<>();
        names.forEach((name, meaning) -> code.put(name, "`" + meaning + "`"));
        return code;
    }

    /** The page with another table at this place. */
    private static String with(String page, String place, String table) {
        String begin = String.format(BEGIN, place);
        assertThat(page).contains(begin);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(END, from);
        return page.substring(0, from) + "\n" + table + "\n" + page.substring(to);
    }

    /** A place of the page that nobody fills any more would keep its old table. */
    @Test
    void everyPlaceOfThePageIsFilled() throws Exception {
        long places =
                Files.readString(PAGE).lines().filter(line -> line.contains("asked of")).count();
        assertThat(places).isEqualTo(tables().size());
    }

    @Test
    void everyOptionOfAFormatIsDeclaredAndHasAnExample() throws Exception {
        assertThat(keys(new ProtoConfluentFormatFactory()))
                .containsExactlyInAnyOrderElementsOf(keys(ProtoConfluentFormatOptions.class))
                .containsExactlyInAnyOrderElementsOf(OptionExamples.ofProtoConfluent().keySet());
        assertThat(keys(new ProtobufNativeFormatFactory()))
                .containsExactlyInAnyOrderElementsOf(keys(ProtobufNativeFormatOptions.class))
                .containsExactlyInAnyOrderElementsOf(OptionExamples.ofProtobufNative().keySet());
    }

    private static List<String> keys(Factory factory) {
        return Stream.of(factory.requiredOptions(), factory.optionalOptions())
                .flatMap(options -> options.stream().map(ConfigOption::key))
                .collect(Collectors.toList());
    }

    private static List<String> keys(Class<?> options) throws IllegalAccessException {
        return ConfigurationTables.declared(options).stream()
                .map(ConfigOption::key)
                .collect(Collectors.toList());
    }

    @Test
    void everyExampleOfAnOptionIsTaken() {
        Map<String, String> examples = OptionExamples.ofProtoConfluent();
        examples.forEach(
                (option, example) -> {
                    Map<String, String> options = FakeKafka.options();
                    besides(option, examples)
                            .forEach(
                                    (key, value) ->
                                            options.put("value.proto-confluent." + key, value));
                    assertTaken(option, options);
                });
        OptionExamples.ofProtobufNative()
                .forEach(
                        (option, example) ->
                                assertTaken(
                                        option,
                                        FakeKafka.nativeOptions(
                                                "shop.v1.OrderProtos$Order", option, example)));
    }

    /** Credentials want a source, and letters a policy and a topic. */
    private static Map<String, String> besides(String option, Map<String, String> examples) {
        Map<String, String> chosen = new HashMap<>();
        chosen.put(option, examples.get(option));
        examples.forEach(
                (other, value) -> {
                    String family = other.split("[.]")[0];
                    boolean isOfAuth = family.endsWith("-auth") && option.startsWith(family);
                    boolean isOfLetters =
                            option.startsWith("dead-letter")
                                    && (other.startsWith("dead-letter-")
                                            || other.equals("on-deserialize-error"));
                    if (isOfAuth || isOfLetters) {
                        chosen.put(other, value);
                    }
                });
        return chosen;
    }

    private static void assertTaken(String what, Map<String, String> options) {
        assertThatCode(() -> FakeKafka.decoding(options, ID)).as(what).doesNotThrowAnyException();
    }

    @Test
    void everyExampleOfAReaderPropertyIsTaken() {
        for (PropertyName property : PropertyNames.ofReader()) {
            boolean isKey = property.name().startsWith("key.");
            assertTaken(
                    property.name(),
                    FakeKafka.options(
                            "value.proto-confluent.is_key",
                            String.valueOf(isKey),
                            "value.proto-confluent.properties." + property.name(),
                            property.example()));
        }
    }

    @Test
    void everyExampleOfAProducerPropertyIsTaken() {
        for (ProducerProperty property : ProducerProperty.all()) {
            assertTaken(
                    property.name(),
                    FakeKafka.options(
                            "value.proto-confluent.on-deserialize-error",
                            "skip",
                            "value.proto-confluent.dead-letter-topic",
                            "dead",
                            "value.proto-confluent.dead-letter.properties." + property.name(),
                            property.example()));
        }
    }
}
