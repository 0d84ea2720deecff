package dev.sluice.flink;

import dev.sluice.flink.deadletter.ProducerProperty;
import dev.sluice.flink.registry.PropertyName;
import dev.sluice.flink.registry.PropertyNames;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.configuration.description.HtmlFormatter;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** What option classes and lists of properties say, as tables of {@code docs/configuration.md}. */
final class ConfigurationTables {
    private static final String HEAD =
            "| %s | type | default | effect | example |\n|---|---|---|---|---|\n";
    private static final String NONE = "–";

    private ConfigurationTables() {}

    /** The options that a class declares, in its order. */
    static List<ConfigOption<?>> declared(Class<?> optionClass) throws IllegalAccessException {
        List<ConfigOption<?>> options = new ArrayList<>();
        for (Field field : optionClass.getDeclaredFields()) {
            if (ConfigOption.class.isAssignableFrom(field.getType())) {
                options.add((ConfigOption<?>) field.get(null));
            }
        }
        return options;
    }

    static String ofOptions(
            Class<?> optionClass, Set<ConfigOption<?>> required, Map<String, String> examples)
            throws ReflectiveOperationException {
        StringBuilder table = new StringBuilder(String.format(HEAD, "option"));
        for (ConfigOption<?> option : declared(optionClass)) {
            table.append(
                    row(
                            option.key(),
                            type(option),
                            required.contains(option) ? "required" : defaultOf(option),
                            effect(option),
                            examples.get(option.key())));
        }
        return table.toString();
    }

    private static String type(ConfigOption<?> option) throws ReflectiveOperationException {
        Method declaredClass = ConfigOption.class.getDeclaredMethod("getClazz");
        declaredClass.setAccessible(true);
        Class<?> type = (Class<?>) declaredClass.invoke(option);
        if (!type.isEnum()) {
            return type.getSimpleName();
        }
        return Arrays.stream(type.getEnumConstants())
                .map(value -> code(value.toString()))
                .collect(Collectors.joining(", "));
    }

    private static String defaultOf(ConfigOption<?> option) {
        return option.hasDefaultValue() ? code(String.valueOf(option.defaultValue())) : NONE;
    }

    /** Flink's own formatter escapes what HTML, and so Markdown, would take for a tag. */
    private static String effect(ConfigOption<?> option) {
        StringBuilder effect =
                new StringBuilder(
                        new HtmlFormatter()
                                .format(option.description())
                                .replaceFirst(" Required\\.$", ""));
        String keys =
                StreamSupport.stream(option.fallbackKeys().spliterator(), false)
                        .map(FallbackKey::getKey)
                        .map(ConfigurationTables::code)
                        .collect(Collectors.joining(", "));
        if (!keys.isEmpty()) {
            effect.append(" Other spelling: ").append(keys).append('.');
        }
        ProtoConfluentRegistryProperties.propertyOf(option)
                .ifPresent(name -> effect.append(" Property: ").append(code(name)).append('.'));
        return effect.toString();
    }

    static String ofProperties(List<PropertyName> properties) {
        StringBuilder table = new StringBuilder(String.format(HEAD, "property"));
        for (PropertyName property : properties) {
            table.append(
                    propertyRow(
                            property.name(),
                            property.type(),
                            property.defaultText(),
                            property.description(),
                            property.example()));
        }
        return table.toString();
    }

    static String ofProducer() {
        StringBuilder table = new StringBuilder(String.format(HEAD, "property"));
        for (ProducerProperty property : ProducerProperty.all()) {
            table.append(
                    propertyRow(
                            property.name(),
                            property.type(),
                            property.defaultText(),
                            property.description(),
                            property.example()));
        }
        return table.toString();
    }

    /** Two columns: a name, and what it means or why it is refused. */
    static String ofNames(String first, String second, Map<String, String> names) {
        StringBuilder table =
                new StringBuilder(String.format("| %s | %s |%n|---|---|%n", first, second));
        names.forEach(
                (name, text) -> table.append(String.format("| %s | %s |%n", code(name), text)));
        return table.toString();
    }

    static String ofOthers() {
        return PropertyNames.ofOthers().stream()
                        .map(ConfigurationTables::code)
                        .collect(Collectors.joining(",\n"))
                + ".\n";
    }

    private static String propertyRow(
            String name, String type, String defaultText, String description, String example) {
        String shown = defaultText.isEmpty() ? NONE : code(defaultText);
        return row(name, type, shown, escaped(description), example);
    }

    private static String row(
            String name, String type, String defaultText, String effect, String example) {
        return String.format(
                "| %s | %s | %s | %s | %s |\n",
                code(name), type, defaultText, effect, code(example));
    }

    private static String escaped(String text) {
        return text.replace("<", "&lt;").replace("|", "\\|");
    }

    private static String code(String text) {
        return text.isEmpty() ? "empty" : "`" + text.replace("|", "\\|") + "`";
    }
}
