package dev.sluice.flink.registry;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The options of a login module in a JAAS text as Kafka takes it: {@code a.b.Module required
 * username="me" password="a\\"b";}.
 */
final class JaasText {
    /** A name, an equals sign, and a value in double quotes, in single ones, or in none. */
    private static final Pattern OPTION =
            Pattern.compile(
                    "([\\w.-]+)\\s*=\\s*(?:\"((?:[^\"\\\\]|\\\\.)*)\""
                            + "|'((?:[^'\\\\]|\\\\.)*)'|([^\\s;\"']+))");

    private JaasText() {}

    /** The value of the first option of this name. */
    static Optional<String> option(String jaas, String name) {
        Matcher option = OPTION.matcher(jaas);
        while (option.find()) {
            if (option.group(1).equals(name)) {
                for (int group = 2; group <= 4; group++) {
                    if (option.group(group) != null) {
                        return Optional.of(option.group(group).replaceAll("\\\\(.)", "$1"));
                    }
                }
            }
        }
        return Optional.empty();
    }
}
