package dev.sluice.flink;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Options that are declared, but whose function does not exist yet. Each is refused by name when it
 * asks for something: never ignored, whether it came as an option or as a client property.
 */
final class UnbuiltOptions {

    private static final Map<ConfigOption<?>, String> MISSING = new LinkedHashMap<>();
    private static final Map<String, String> MISSING_PROPERTIES = new LinkedHashMap<>();

    static {
        String writing = "writing records";
        String latest = "reading with the latest schema of a subject";
        String skipping = "skipping records that cannot be read";
        MISSING.put(ProtoConfluentFormatOptions.SUBJECT, latest);
        MISSING.put(ProtoConfluentFormatOptions.SCHEMA, latest);
        MISSING.put(ProtoConfluentFormatOptions.MESSAGE_NAME, "choosing one of several messages");
        MISSING.put(ProtoConfluentFormatOptions.MESSAGE_CLASS, writing);
        MISSING.put(ProtoConfluentFormatOptions.AUTO_REGISTER_SCHEMAS, writing);
        MISSING.put(ProtoConfluentFormatOptions.NORMALIZE_SCHEMAS, writing);
        MISSING.put(ProtoConfluentFormatOptions.USE_SCHEMA_ID, writing);
        MISSING.put(ProtoConfluentFormatOptions.SKIP_KNOWN_TYPES, writing);
        MISSING.put(ProtoConfluentFormatOptions.ON_DESERIALIZE_ERROR, skipping);
        MISSING.put(ProtoConfluentFormatOptions.DEAD_LETTER_TOPIC, skipping);
        MISSING.put(ProtoConfluentFormatOptions.DEAD_LETTER_PROPERTIES, skipping);
        MISSING_PROPERTIES.put("use.latest.version", latest);
        MISSING_PROPERTIES.put("use.latest.with.metadata", latest);
        MISSING_PROPERTIES.put("use.schema.guid", writing);
    }

    /**
     * @param properties the client properties of the same options
     * @throws ValidationException naming the first option that asks for a missing function
     */
    static void refuse(ReadableConfig options, Map<String, String> properties) {
        MISSING.forEach(
                (option, function) -> {
                    Optional<String> property =
                            ProtoConfluentRegistryProperties.property(option, options);
                    Object value =
                            property.isPresent()
                                    ? properties.get(property.get())
                                    : options.getOptional(option).orElse(null);
                    if (value != null && !isDefault(option, value)) {
                        throw unbuilt("Option '" + option.key() + "'", property, function);
                    }
                });
        MISSING_PROPERTIES.forEach(
                (name, function) -> {
                    String value =
                            properties.getOrDefault(
                                    "schema.registry." + name, properties.get(name));
                    if (value != null && !value.trim().equalsIgnoreCase("false")) {
                        throw unbuilt("Property '" + name + "'", Optional.empty(), function);
                    }
                });
    }

    private static boolean isDefault(ConfigOption<?> option, Object value) {
        return option.hasDefaultValue()
                && String.valueOf(value)
                        .trim()
                        .equalsIgnoreCase(String.valueOf(option.defaultValue()));
    }

    /** Shows no value: a map of properties may hold secrets. */
    private static ValidationException unbuilt(
            String what, Optional<String> property, String function) {
        return new ValidationException(
                String.format(
                        "%s%s of format '%s' is not supported yet: %s is not built. Leave it at"
                                + " its default.",
                        what,
                        property.map(name -> " (client property '" + name + "')").orElse(""),
                        ProtoConfluentFormatFactory.IDENTIFIER,
                        function));
    }

    private UnbuiltOptions() {}
}
