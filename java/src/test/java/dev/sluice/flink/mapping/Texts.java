package dev.sluice.flink.mapping;

/** Schema texts whose first message is asked for its field {@code f}. */
final class Texts {
    /** What the fields may refer to. */
    private static final String IMPORTS =
            String.join(
                    "\n",
                    "import 'confluent/meta.proto';",
                    "import 'confluent/type/decimal.proto';",
                    "import 'confluent/type/variant.proto';",
                    "import 'google/protobuf/any.proto';",
                    "import 'google/protobuf/duration.proto';",
                    "import 'google/protobuf/empty.proto';",
                    "import 'google/protobuf/field_mask.proto';",
                    "import 'google/protobuf/struct.proto';",
                    "import 'google/protobuf/timestamp.proto';",
                    "import 'google/protobuf/wrappers.proto';",
                    "import 'google/type/date.proto';",
                    "import 'google/type/decimal.proto';",
                    "import 'google/type/timeofday.proto';");

    private static final String PROTO3_TYPES =
            String.join(
                    "\n",
                    "enum Colour { RED = 0; BLUE = 7; }",
                    "message Sub { int32 a = 1; optional int32 b = 2; }",
                    "message FEntry { string key = 1; int32 value = 2; }",
                    "message OneofEntry { oneof key { int32 a = 1; string b = 2; }",
                    "    int32 value = 3; }",
                    "message Collection { repeated int32 value = 1; }",
                    "message Entries { repeated FEntry value = 1; }",
                    "message Element { optional string value = 1; }");

    static String proto3(String declaration) {
        return text("syntax = 'proto3';", declaration, PROTO3_TYPES);
    }

    static String proto2(String declaration) {
        return text("syntax = 'proto2';", declaration, "enum Colour { RED = 0; BLUE = 7; }");
    }

    static String edition(String declaration) {
        return text("edition = '2023';", declaration, "enum Colour { RED = 0; BLUE = 7; }");
    }

    private static String text(String syntax, String declaration, String types) {
        String message = "message Root { " + declaration + " }";
        return String.join("\n", syntax, IMPORTS, message, types);
    }

    private Texts() {}
}
