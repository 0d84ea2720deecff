package dev.sluice.flink;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Format options as properties of Confluent's registry client.
 *
 * <p>A setting has up to three sources, of which the first that is there counts:
 *
 * <ol>
 *   <li>the format option, if it is set: {@code 'auto-register-schemas' = 'true'};
 *   <li>the client property in {@code properties}: {@code 'properties.auto.register.schemas'}. A
 *       name with the prefix {@code schema.registry.} is the same setting as the bare one and wins
 *       over it; settings of TLS are read with the prefix only, as Confluent's client does;
 *   <li>the option's default.
 * </ol>
 *
 * <p>{@code message-class} belongs to one side of the record: the format reads {@code
 * properties.key.message-class} if it is for keys and {@code properties.value.message-class}
 * otherwise, then {@code properties.message-class}.
 *
 * <p>The result holds each of these settings once, under the name in the table below, and every
 * other property as it was given.
 */
public final class ProtoConfluentRegistryProperties {

    private static final String PREFIX = "schema.registry.";

    // A value that Flink took for the next pairs, or pairs that it took for a name: what errors and
    // warnings name could then hold a password, and credentials would be lost.
    private static final Pattern MISREAD = Pattern.compile("[\\s:,'\"]");

    private static final List<Setting> SETTINGS =
            List.of(
                    Setting.prefixed(ProtoConfluentFormatOptions.URL, "url"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.AUTO_REGISTER_SCHEMAS,
                            "auto.register.schemas"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.NORMALIZE_SCHEMAS, "normalize.schemas"),
                    Setting.bare(ProtoConfluentFormatOptions.USE_SCHEMA_ID, "use.schema.id"),
                    Setting.bare(ProtoConfluentFormatOptions.SKIP_KNOWN_TYPES, "skip.known.types"),
                    Setting.prefixed(
                            ProtoConfluentFormatOptions.SSL_KEYSTORE_LOCATION,
                            "ssl.keystore.location"),
                    Setting.prefixed(
                            ProtoConfluentFormatOptions.SSL_KEYSTORE_PASSWORD,
                            "ssl.keystore.password"),
                    Setting.prefixed(
                            ProtoConfluentFormatOptions.SSL_TRUSTSTORE_LOCATION,
                            "ssl.truststore.location"),
                    Setting.prefixed(
                            ProtoConfluentFormatOptions.SSL_TRUSTSTORE_PASSWORD,
                            "ssl.truststore.password"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.BASIC_AUTH_CREDENTIALS_SOURCE,
                            "basic.auth.credentials.source"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.BASIC_AUTH_USER_INFO,
                            "basic.auth.user.info"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.BEARER_AUTH_CREDENTIALS_SOURCE,
                            "bearer.auth.credentials.source"),
                    Setting.bare(
                            ProtoConfluentFormatOptions.BEARER_AUTH_TOKEN, "bearer.auth.token"));

    private static final Setting KEY_MESSAGE_CLASS =
            Setting.ofRole(ProtoConfluentFormatOptions.MESSAGE_CLASS, "key.", "message-class");
    private static final Setting VALUE_MESSAGE_CLASS =
            Setting.ofRole(ProtoConfluentFormatOptions.MESSAGE_CLASS, "value.", "message-class");

    /** The client properties that {@code options} ask for, secrets included. */
    public static Map<String, String> of(ReadableConfig options) {
        Map<String, String> properties =
                new TreeMap<>(map(ProtoConfluentFormatOptions.PROPERTIES, options));
        SETTINGS.forEach(setting -> setting.settle(options, properties));
        messageClass(options).settle(options, properties);
        return properties;
    }

    /** The client property that an option stands for, if it does. */
    static Optional<String> propertyOf(ConfigOption<?> option) {
        return Stream.concat(SETTINGS.stream(), Stream.of(VALUE_MESSAGE_CLASS))
                .filter(setting -> setting.option == option)
                .map(setting -> setting.property)
                .findFirst();
    }

    private static Setting messageClass(ReadableConfig options) {
        boolean isKey = options.get(ProtoConfluentFormatOptions.IS_KEY);
        return isKey ? KEY_MESSAGE_CLASS : VALUE_MESSAGE_CLASS;
    }

    /**
     * A map that the user gave in either form or both: {@code 'name' = 'key:value,key:value'} and
     * {@code 'name.key' = 'value'}. Flink's own reader drops one of two forms.
     *
     * @throws ValidationException if Flink did not read the pairs as they were meant
     */
    static Map<String, String> map(
            ConfigOption<Map<String, String>> option, ReadableConfig options) {
        Map<String, String> given = new TreeMap<>();
        try {
            options.getOptional(option).ifPresent(given::putAll);
        } catch (IllegalArgumentException e) {
            throw misread(option); // without its cause, which quotes the whole value
        }
        String prefix = option.key() + ".";
        options.toMap()
                .forEach(
                        (key, value) -> {
                            if (key.startsWith(prefix)) {
                                given.put(key.substring(prefix.length()), value);
                            }
                        });
        if (given.keySet().stream().anyMatch(MISREAD.asPredicate())) {
            throw misread(option);
        }
        return given;
    }

    private static ValidationException misread(ConfigOption<?> option) {
        return new ValidationException(
                String.format(
                        "Option '%1$s' is not of the form 'name:value,name:value', or a name in it"
                                + " holds a blank, colon, comma or quote. It is not shown, as it"
                                + " may hold a secret. A value with such characters is quoted, or"
                                + " given as an option '%1$s.<name>' of its own.",
                        option.key()));
    }

    private ProtoConfluentRegistryProperties() {}

    /** One format option that is also a property of the client. */
    private static final class Setting {

        private final ConfigOption<?> option;
        private final String property;
        private final List<String> spellings; // strongest first

        private Setting(ConfigOption<?> option, String property, List<String> spellings) {
            this.option = option;
            this.property = property;
            this.spellings = spellings;
        }

        static Setting bare(ConfigOption<?> option, String name) {
            return new Setting(option, name, List.of(PREFIX + name, name));
        }

        static Setting prefixed(ConfigOption<?> option, String name) {
            return new Setting(option, PREFIX + name, List.of(PREFIX + name));
        }

        static Setting ofRole(ConfigOption<?> option, String role, String name) {
            return new Setting(
                    option,
                    role + name,
                    List.of(PREFIX + role + name, role + name, PREFIX + name, name));
        }

        /** Leaves the value that counts, under the one name, or nothing. */
        void settle(ReadableConfig options, Map<String, String> properties) {
            String value = options.getOptional(option).map(String::valueOf).orElse(null);
            for (String spelling : spellings) {
                String tunneled = properties.remove(spelling);
                value = value == null ? tunneled : value;
            }
            if (value == null && option.hasDefaultValue()) {
                value = String.valueOf(option.defaultValue());
            }
            if (value != null) {
                properties.put(property, value);
            }
        }
    }
}
