package dev.sluice.flink.registry;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The names of client properties: which are read, by us or others, and which one a misspelt name
 * means.
 *
 * <p>Each may be given bare or with the prefix {@code schema.registry.}; {@code ssl.*} only with it
 * and settings of caches only without it (C5).
 */
public final class PropertyNames {
    static final String PREFIX = PropertyTable.PREFIX;
    static final String HEADER = "request.header.";

    private static final Map<String, PropertyName> OF_CLIENT = PropertyTable.ofClient();
    private static final Map<String, PropertyName> OF_READER = ReaderPropertyTable.rows();

    private PropertyNames() {}

    /** Every property of the registry client, in an order to be read. */
    public static List<PropertyName> all() {
        return List.copyOf(OF_CLIENT.values());
    }

    /** Every property that decides which schema a record is read with. */
    public static List<PropertyName> ofReader() {
        return List.copyOf(OF_READER.values());
    }

    /** Names that no client ever read but people have, and the ones that they mean. */
    public static SortedMap<String, String> misnomers() {
        return new TreeMap<>(PropertyTable.MISNOMERS);
    }

    /** Names that only Confluent's own client and serializers read. */
    public static SortedSet<String> ofOthers() {
        return new TreeSet<>(PropertyTable.OF_OTHERS);
    }

    /**
     * Names that are refused, each with the reason; one that ends in {@code *} stands for all that
     * begin so and are not known.
     */
    public static Map<String, String> refused() {
        return PropertyTable.refused();
    }

    /** Why a property is refused by its name; null if it is not. */
    static String refusal(String given) {
        // C5: without the prefix, settings of TLS are those of somebody else
        String name = given.startsWith(PREFIX + "ssl.") ? given : withoutPrefix(given);
        String reason = PropertyTable.refused().get(name);
        if (reason == null && bare(given) == null) {
            reason =
                    PropertyTable.refused().entrySet().stream()
                            .filter(one -> one.getKey().endsWith("*"))
                            .filter(one -> name.startsWith(one.getKey().replace("*", "")))
                            .map(Map.Entry::getValue)
                            .findFirst()
                            .orElse(null);
        }
        return reason;
    }

    /** The value of a property of the client if none is given. */
    static String defaultOf(String name) {
        return OF_CLIENT.get(name).defaultText();
    }

    /**
     * The bare name of a property of ours as the user spelt it, or null.
     *
     * @param given bare or with the prefix
     */
    static String bare(String given) {
        String bare = given.startsWith(PREFIX) ? given.substring(PREFIX.length()) : given;
        if (bare.startsWith(HEADER)) {
            return bare;
        }
        if (bare.startsWith("ssl.")) {
            return OF_CLIENT.containsKey(given) ? bare : null;
        }
        if (isOfCache(bare)) {
            return OF_CLIENT.containsKey(given) ? given : null;
        }
        return OF_CLIENT.containsKey(bare) ? bare : null;
    }

    private static String withoutPrefix(String name) {
        return name.startsWith(PREFIX) ? name.substring(PREFIX.length()) : name;
    }

    private static boolean isOfCache(String bare) {
        return bare.startsWith("latest.cache.") || bare.startsWith("missing.");
    }

    /** True if somebody reads a property under this name, we or others. */
    static boolean isKnown(String given) {
        if (bare(given) != null || PropertyTable.MISNOMERS.containsKey(given)) {
            return true;
        }
        String bare = withoutPrefix(given);
        if (isOfCache(bare) && given.startsWith(PREFIX)) {
            return false;
        }
        return OF_READER.containsKey(bare)
                || PropertyTable.OF_OPTIONS.contains(bare)
                || PropertyTable.OF_OTHERS.contains(bare)
                || PropertyTable.OPEN_ENDED.stream().anyMatch(bare::startsWith);
    }

    /** The known name that differs least from {@code unknown}. */
    static String nearest(String unknown) {
        String nearest = null;
        int least = Integer.MAX_VALUE;
        boolean prefixed = unknown.startsWith(PREFIX);
        for (String name : PropertyTable.names()) {
            // Names are compared without the prefix, which all of them may have.
            int distance = distance(withoutPrefix(unknown), withoutPrefix(name));
            if (distance < least) {
                least = distance;
                nearest =
                        prefixed && !name.startsWith(PREFIX) && !isOfCache(name)
                                ? PREFIX + name
                                : name;
            }
        }
        return nearest;
    }

    /** Letters to insert, drop or replace. */
    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
