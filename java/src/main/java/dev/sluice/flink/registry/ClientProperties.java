package dev.sluice.flink.registry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;

/**
 * The user's client properties under their bare names (C5), read with types and defaults.
 *
 * <p>Only values that the user gave count (C6). A property that guards a connection and is not
 * understood here is refused by name: ignoring it could send requests unauthenticated or through
 * the wrong trust. Other unknown ones are warned of. Errors name properties and never show values
 * of {@code *.auth.*} and {@code ssl.*}. Properties of other parts of the format are left out, so
 * that they do not tell two connections apart.
 */
final class ClientProperties {
    private static final Logger LOG = LoggerFactory.getLogger(ClientProperties.class);
    private static final String HOST_NAMES = "ssl.endpoint.identification.algorithm";
    private static final String JAAS = "sasl.jaas.config";

    private final SortedMap<String, String> values;

    private ClientProperties(SortedMap<String, String> values) {
        this.values = values;
    }

    /**
     * Strips the prefix; a prefixed name wins over a bare one, and both over a misnomer. Blank
     * values count as not given, but for the one that switches the check of host names off.
     *
     * @throws IllegalArgumentException naming a property whose function does not exist
     */
    static ClientProperties of(Map<String, String> properties) {
        SortedMap<String, String> values = new TreeMap<>();
        PropertyTable.MISNOMERS.forEach(
                (misnomer, name) -> putIf(true, values, name, properties.get(misnomer)));
        for (boolean prefixed : new boolean[] {false, true}) {
            properties.forEach(
                    (given, value) -> {
                        String name = PropertyNames.bare(given);
                        boolean wanted =
                                name != null && given.startsWith(PropertyNames.PREFIX) == prefixed;
                        putIf(wanted, values, name, value);
                    });
        }
        properties.keySet().forEach(ClientProperties::refuseGuarded);
        String source = values.getOrDefault("basic.auth.credentials.source", "");
        if (!source.trim().equals("SASL_INHERIT")) {
            values.remove(JAAS);
        }
        return new ClientProperties(values);
    }

    /** What {@link #asMap()} gave, or such values. */
    static ClientProperties ofBare(Map<String, String> values) {
        return new ClientProperties(new TreeMap<>(values));
    }

    /** One warning for each property that nobody reads; the value may be a secret. */
    static void warnOfUnknown(Map<String, String> properties) {
        for (String given : new TreeSet<>(properties.keySet())) {
            if (!PropertyNames.isKnown(given)) {
                LOG.warn(
                        "Registry property '{}' is unknown and has no effect; the nearest known one"
                                + " is '{}'.",
                        given,
                        PropertyNames.nearest(given));
            }
        }
    }

    private static void putIf(
            boolean wanted, Map<String, String> values, String name, String value) {
        if (wanted && value != null && (!value.isBlank() || name.equals(HOST_NAMES))) {
            values.put(name, value);
        }
    }

    private static void refuseGuarded(String given) {
        String why = PropertyNames.refusal(given);
        if (why != null) {
            String bare =
                    given.startsWith(PropertyNames.PREFIX)
                            ? given.substring(PropertyNames.PREFIX.length())
                            : given;
            throw new IllegalArgumentException("registry property '" + bare + "' is " + why);
        }
    }

    /** The value, or null. */
    String find(String name) {
        return values.get(name);
    }

    /** The value, which may be blank where blank says something; or null. */
    String findEvenBlank(String name) {
        return values.get(name);
    }

    /** Whether any property with this prefix is set. */
    boolean hasAny(String prefix) {
        return values.keySet().stream().anyMatch(name -> name.startsWith(prefix));
    }

    /** What stands between commas; empty if the property is not set. */
    List<String> list(String name) {
        return Arrays.stream(values.getOrDefault(name, "").split(","))
                .map(String::trim)
                .filter(item -> !item.isEmpty())
                .collect(Collectors.toList());
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(values.getOrDefault(name, "false").trim());
    }

    /** A whole number of at least {@code least}; the default is that of the user page. */
    int number(String name, int least) {
        String value = values.get(name);
        if (value == null) {
            return Integer.parseInt(PropertyNames.defaultOf(name));
        }
        try {
            int number = Integer.parseInt(value.trim());
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // refused below, as a number that is too small
        }
        throw new IllegalArgumentException(
                "registry property '"
                        + name
                        + "' must be a whole number of at least "
                        + least
                        + ", not '"
                        + value
                        + "'");
    }

    /** Calls {@code header} with the name and value of every {@code request.header.<Name>}. */
    void forEachRequestHeader(BiConsumer<String, String> header) {
        values.forEach(
                (name, value) -> {
                    if (name.startsWith(PropertyNames.HEADER)) {
                        header.accept(name.substring(PropertyNames.HEADER.length()), value);
                    }
                });
    }

    SortedMap<String, String> asMap() {
        return values;
    }
}
