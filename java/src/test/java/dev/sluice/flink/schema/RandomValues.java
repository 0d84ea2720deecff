package dev.sluice.flink.schema;

import java.util.Random;

/** Names and literals of random schema texts, in all spellings that the language has. */
final class RandomValues {
    static final String[] SCALARS = {
        "double",
        "float",
        "int32",
        "int64",
        "uint32",
        "uint64",
        "sint32",
        "sint64",
        "fixed32",
        "fixed64",
        "sfixed32",
        "sfixed64",
        "bool",
        "string",
        "bytes"
    };
    static final String[] KEYS = {
        "int32",
        "int64",
        "uint32",
        "uint64",
        "sint32",
        "sint64",
        "fixed32",
        "fixed64",
        "sfixed32",
        "sfixed64",
        "bool",
        "string"
    };
    static final String[] KEYWORDS = {
        "message",
        "enum",
        "oneof",
        "option",
        "reserved",
        "extensions",
        "extend",
        "map",
        "group",
        "optional",
        "required",
        "repeated",
        "package",
        "import",
        "syntax",
        "edition",
        "service",
        "rpc",
        "stream",
        "returns",
        "to",
        "max",
        "default",
        "json_name",
        "int32",
        "string",
        "public"
    };

    private final Random random;

    RandomValues(Random random) {
        this.random = random;
    }

    String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    String defaultValue(String type) {
        switch (type) {
            case "bool":
                return pick("true", "false");
            case "string":
                return string();
            case "bytes":
                return string() + " '\\xe9\\377'";
            case "float":
            case "double":
                return pick(
                        "inf",
                        "-inf",
                        "nan",
                        "0",
                        "-0",
                        "-0.0",
                        ".5",
                        "1.",
                        "1e10",
                        "-1E-7",
                        "0x10",
                        "017",
                        Double.toString(random.nextDouble()),
                        "123456789.125",
                        Float.toString(random.nextFloat()),
                        "1e-45",
                        "3.4e38",
                        "4.9e-324",
                        Long.toString(random.nextLong()),
                        "1.7976931348623157e308",
                        Double.toString(
                                Math.abs(Double.longBitsToDouble(random.nextLong() >>> 2))));
            case "uint32":
            case "fixed32":
                return pick("4294967295", "0xFFFFFFFF", integer(random.nextInt(1 << 20)));
            case "uint64":
            case "fixed64":
                return pick("18446744073709551615", "01777777777777777777777", "0");
            case "int64":
            case "sint64":
            case "sfixed64":
                return pick("-9223372036854775808", "0x7fffffffffffffff", "-0", "-0x10");
            default:
                return pick("-2147483648", "2147483647", "- 5", integer(random.nextInt(99) - 50));
        }
    }

    String string() {
        String[] pieces = {
            "plain",
            "\\n\\t\\r\\a\\b\\f\\v\\\\\\?\\'\\\"",
            "é😀",
            "\\u00e9\\U0001F600",
            "\\101\\0\\7z",
            "\\x41\\X7"
        };
        StringBuilder string = new StringBuilder();
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            String quote = pick("\"", "'");
            String piece = pick(pieces);
            string.append(string.length() == 0 ? "" : " ")
                    .append(quote)
                    .append(piece)
                    .append(quote);
        }
        return string.toString();
    }

    String meta() {
        String a = "{ key : \"flink.version\" value : '1' }";
        String b = "{ value : \"9\" , key : \"precision\" }";
        return pick(
                "{ doc : \"d\" params : [ " + a + " , " + b + " ] tags : \"t\" }",
                "{ params " + a + " params : " + b + " , rules { name : 'r' } }",
                "{ tags : [ \"x\" , 'y' ] ; params < key : \"k\" value : \"v\" > }",
                "{ }");
    }

    /** One option of confluent, or two. */
    String metaOption(String kind) {
        String name = pick("(confluent.", "(.confluent.") + kind + "_meta)";
        return name
                + pick(
                        " = " + meta(),
                        ".doc = \"a\" 'b'",
                        ".params = { key : 'k' value : 'v' } , "
                                + name
                                + ".params = { key : \"l\" }",
                        ".tags = \"x\" , " + name + ".tags = 'y'");
    }

    String integer(int value) {
        String sign = value < 0 ? "-" : "";
        int magnitude = Math.abs(value);
        return sign
                + pick(
                        Integer.toString(magnitude),
                        Integer.toString(magnitude),
                        "0x" + Integer.toHexString(magnitude),
                        "0" + Integer.toOctalString(magnitude));
    }
}
