package dev.sluice.flink.engine.agreement;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * One to three schema files of random syntax that import each other: nesting, recursion, maps,
 * oneofs, groups, defaults, required fields, well-known types, the wrappers and entries that a
 * derived schema has. Texts are plain; what the language allows beyond is the parser's own test.
 */
final class RandomFiles {
    private static final String[] SYNTAXES = {
        "syntax = \"proto2\";", "syntax = \"proto3\";", "edition = \"2023\";"
    };
    private static final int PROTO2 = 0;
    private static final int PROTO3 = 1;
    private static final int EDITION = 2;
    private static final String[] IMPORTS = {
        "google/protobuf/timestamp.proto",
        "google/protobuf/duration.proto",
        "google/protobuf/wrappers.proto",
        "google/protobuf/any.proto",
        "google/protobuf/struct.proto",
        "google/type/date.proto",
        "google/type/timeofday.proto",
        "confluent/meta.proto",
        "confluent/type/decimal.proto"
    };
    private static final String[] WELL_KNOWN = {
        "google.protobuf.Timestamp",
        "google.protobuf.Timestamp",
        "google.protobuf.Duration",
        "google.protobuf.Any",
        "google.protobuf.Struct",
        "google.protobuf.DoubleValue",
        "google.protobuf.FloatValue",
        "google.protobuf.Int64Value",
        "google.protobuf.UInt64Value",
        "google.protobuf.Int32Value",
        "google.protobuf.UInt32Value",
        "google.protobuf.BoolValue",
        "google.protobuf.StringValue",
        "google.protobuf.BytesValue",
        "google.type.Date",
        "google.type.TimeOfDay",
        "confluent.type.Decimal",
        "confluent.type.Decimal"
    };
    private static final String[] SCALARS = {
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
        "bytes",
        "string",
        "int32"
    };
    private static final String[] KEYS = {
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
        "string"
    };
    private static final String WRAPPED =
            "(confluent.field_meta) = { params: { key: \"flink.wrapped\", value: \"true\" } }";

    private final Random random;
    private final List<String> messages = new ArrayList<>(); // full names that a file may use
    private final Map<String, String> enums = new LinkedHashMap<>(); // full name, first value
    private final Map<String, String> files = new LinkedHashMap<>();
    private final List<String> roots = new ArrayList<>();
    private StringBuilder text;
    private int syntax;
    private boolean implicit; // editions: no presence by default
    private int names;

    RandomFiles(Random random) {
        this.random = random;
        int count = 1 + random.nextInt(3);
        for (int file = 0; file < count; file++) {
            file(file);
        }
    }

    /** Texts by import path; the last one is the root. */
    Map<String, String> files() {
        return files;
    }

    /** Full names of the top-level messages of the root file. */
    List<String> roots() {
        return roots;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private <T> T pick(List<T> from) {
        return from.get(random.nextInt(from.size()));
    }

    private String pick(String... from) {
        return from[random.nextInt(from.length)];
    }

    private void file(int file) {
        syntax = random.nextInt(SYNTAXES.length);
        implicit = syntax == EDITION && chance(3);
        text = new StringBuilder(SYNTAXES[syntax]).append("\npackage p").append(file).append(";\n");
        for (String path : IMPORTS) {
            text.append("import \"").append(path).append("\";\n");
        }
        for (String path : files.keySet()) {
            text.append("import \"").append(path).append("\";\n");
        }
        if (implicit) {
            text.append("option features.field_presence = IMPLICIT;\n");
        }
        roots.clear();
        String prefix = "p" + file + ".";
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            roots.add(prefix + "M" + i);
        }
        messages.addAll(roots);
        for (int i = random.nextInt(3); i >= 0; i--) {
            enumeration(prefix + "E" + i, "E" + i);
        }
        for (int i = 0; i < count; i++) {
            message("M" + i);
        }
        files.put("f" + file + ".proto", text.toString());
    }

    private void enumeration(String fullName, String name) {
        boolean closed = syntax == EDITION && !implicit && chance(2);
        boolean zeroFirst = syntax == PROTO3 || syntax == EDITION && !closed;
        String first = name + "_A";
        text.append("enum ").append(name).append(" {\n");
        text.append(closed ? "  option features.enum_type = CLOSED;\n" : "");
        boolean alias = chance(3);
        text.append(alias ? "  option allow_alias = true;\n" : "");
        int number = zeroFirst ? 0 : pickNumber(5, -3, 0);
        text.append("  ").append(first).append(" = ").append(number).append(";\n");
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append("  ").append(name).append("_B").append(i);
            text.append(" = ").append(number + i * (chance(6) ? 100_000 : 1)).append(";\n");
        }
        text.append(alias ? "  " + name + "_C = " + number + ";\n" : "").append("}\n");
        enums.put(fullName, first);
    }

    private int pickNumber(int... from) {
        return from[random.nextInt(from.length)];
    }

    private void message(String name) {
        text.append("message ").append(name).append(" {\n");
        int number = 0;
        for (int i = random.nextInt(9); i > 0; i--) {
            number += chance(8) ? 1 + random.nextInt(3000) : 1;
            number = field(number);
        }
        if (chance(12)) {
            text.append("  ").append(singular()).append("int32 last = 536870911;\n");
        }
        text.append("}\n");
    }

    /** One member of a message's body; the last field number that it used. */
    private int field(int number) {
        String name = fresh();
        switch (random.nextInt(14)) {
            case 0:
                text.append("  map<").append(pick(KEYS)).append(", ").append(mapValue());
                text.append("> ").append(name).append(" = ").append(number).append(";\n");
                return number;
            case 1:
                return oneof(number);
            case 2:
                if (syntax == PROTO2) {
                    String label = pick("optional", "repeated", "optional", "required");
                    text.append("  ").append(label).append(' ');
                    group(number);
                    return number;
                }
                if (syntax == EDITION) {
                    text.append("  ").append(pick("", "repeated ")).append(pick(messages));
                    text.append(' ').append(name).append(" = ").append(number);
                    text.append(" [features.message_encoding = DELIMITED];\n");
                    return number;
                }
                return plain(number, name);
            case 3:
                wrapper(number, name);
                return number;
            case 4:
                entry(number, name);
                return number;
            default:
                return plain(number, name);
        }
    }

    private String fresh() {
        names++;
        return pick("f", "foo_bar", "fooBar", "x_") + names;
    }

    private String singular() {
        return syntax == PROTO2 ? "optional " : "";
    }

    private void group(int number) {
        text.append("group Group").append(++names).append(" = ").append(number).append(" {\n");
        text.append("    optional int32 a = 1;\n    optional ").append(pick(messages));
        text.append(" b = 2;\n    repeated string c = 3;\n  }\n");
    }

    private int oneof(int number) {
        return oneof(pick("choice", "one_of", "oneOf") + ++names, number);
    }

    private int oneof(String name, int number) {
        text.append("  oneof ").append(name).append(" {\n");
        int last = number;
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            text.append("    ");
            if (syntax == PROTO2 && chance(6)) {
                group(last);
            } else {
                text.append(anyType()).append(' ').append(fresh()).append(" = ").append(last);
                text.append(";\n");
            }
            last++;
        }
        text.append("  }\n");
        return last - 1;
    }

    /** What a nullable collection or element is wrapped in. */
    private void wrapper(int number, String name) {
        String type = "Wrap" + ++names;
        text.append("  message ").append(type).append(" {\n    ");
        String value =
                chance(2)
                        ? "repeated " + anyType()
                        : chance(3) ? "map<string, " + mapValue() + ">" : singular() + anyType();
        text.append(value).append(" value = 1;\n  }\n");
        text.append("  ").append(chance(2) ? "repeated " : singular()).append(type);
        text.append(' ').append(name).append(" = ").append(number);
        text.append(" [").append(WRAPPED).append("];\n");
    }

    /** What a map with any key becomes; key and value may be oneofs. */
    private void entry(int number, String name) {
        String type = "Any" + ++names + "Entry";
        String optional = syntax == PROTO2 || syntax == PROTO3 && chance(2) ? "optional " : "";
        text.append("  message ").append(type).append(" {\n    ");
        if (chance(3)) {
            oneof("key", 1);
        } else {
            text.append(optional).append(anyType()).append(" key = 1;\n");
        }
        text.append("    ");
        if (chance(4)) {
            oneof("value", 20);
        } else {
            text.append(singular()).append(chance(3) ? "int32" : anyType());
            text.append(" value = 20;\n");
        }
        text.append("  }\n  repeated ").append(type).append(' ').append(name);
        text.append(" = ").append(number).append(";\n");
    }

    private int plain(int number, String name) {
        String type = anyType();
        boolean scalar = List.of(SCALARS).contains(type);
        boolean repeated = chance(3);
        List<String> options = new ArrayList<>();
        String label = repeated ? "repeated " : label();
        boolean packable = scalar && !type.equals("string") && !type.equals("bytes");
        if (repeated && packable && chance(2)) {
            boolean packed = random.nextBoolean();
            options.add(
                    syntax == EDITION
                            ? "features.repeated_field_encoding = "
                                    + (packed ? "PACKED" : "EXPANDED")
                            : "packed = " + packed);
        }
        if (syntax == EDITION && type.equals("string") && chance(2)) {
            options.add("features.utf8_validation = " + pick("NONE", "VERIFY"));
        }
        boolean presence = syntax == PROTO2 || syntax == EDITION && !implicit;
        if (syntax == EDITION && !repeated && scalar && chance(3)) {
            String kind = pick("EXPLICIT", "LEGACY_REQUIRED");
            options.add("features.field_presence = " + kind);
            presence = true;
        }
        if (!repeated && presence && syntax != PROTO3 && chance(2)) {
            String value = defaultOf(type);
            if (value != null) {
                options.add("default = " + value);
            }
        }
        text.append("  ").append(label).append(type).append(' ').append(name).append(" = ");
        text.append(number);
        text.append(options.isEmpty() ? "" : " [" + String.join(", ", options) + "]");
        text.append(";\n");
        return number;
    }

    private String label() {
        if (syntax == PROTO2) {
            return chance(6) ? "required " : "optional ";
        }
        return syntax == PROTO3 && chance(3) ? "optional " : "";
    }

    private String anyType() {
        switch (random.nextInt(8)) {
            case 0:
            case 1:
                return pick(messages);
            case 2:
                return pick(WELL_KNOWN);
            case 3:
                return enums.isEmpty() ? "int64" : pick(List.copyOf(enums.keySet()));
            default:
                return pick(SCALARS);
        }
    }

    /** An enum of a map must start at 0, which not all do; it stays out of two kinds of files. */
    private String mapValue() {
        String type = anyType();
        return enums.containsKey(type) && syntax != PROTO3 ? "string" : type;
    }

    private String defaultOf(String type) {
        switch (type) {
            case "bool":
                return "true";
            case "string":
                return pick("\"dflt\"", "\"a longer default text\"", "\"\"");
            case "bytes":
                return "\"\\xff\\x00b\"";
            case "float":
            case "double":
                return pick("1.5", "-inf", "nan", "-0.0");
            case "uint32":
            case "fixed32":
                return "4294967295";
            case "uint64":
            case "fixed64":
                return "18446744073709551615";
            default:
                return enums.containsKey(type) ? enums.get(type) : numberOrNull(type);
        }
    }

    private String numberOrNull(String type) {
        return type.contains("int") || type.contains("fixed") ? pick("7", "-70000") : null;
    }
}
