package dev.sluice.flink.mapping;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A type that a field may be declared with, and the ROW that has its fields, if it is a message.
 */
final class Kind {
    /** SQL types that every kind is asked for. */
    private static final List<String> SQL_TYPES =
            List.of(
                    "BOOLEAN",
                    "TINYINT",
                    "SMALLINT",
                    "INT",
                    "BIGINT",
                    "FLOAT",
                    "DOUBLE",
                    "DECIMAL(20, 0)",
                    "DECIMAL(10, 2)",
                    "CHAR(3)",
                    "STRING",
                    "BINARY(3)",
                    "BYTES",
                    "DATE",
                    "TIME(3)",
                    "TIMESTAMP(3)",
                    "TIMESTAMP_LTZ(3)",
                    "ARRAY<INT>",
                    "MAP<STRING, INT>",
                    "MULTISET<STRING>",
                    "ROW<no_such_field INT>");

    private static final List<String> NO_KEYS = List.of("float", "double", "bytes", "Colour");

    static final List<Kind> SCALARS =
            List.of(
                    scalar("int32", "7"),
                    scalar("sint32", "7"),
                    scalar("sfixed32", "7"),
                    scalar("uint32", "7"),
                    scalar("fixed32", "7"),
                    scalar("int64", "7"),
                    scalar("sint64", "7"),
                    scalar("sfixed64", "7"),
                    scalar("uint64", "7"),
                    scalar("fixed64", "7"),
                    scalar("bool", "true"),
                    scalar("float", "7.5"),
                    scalar("double", "7.5"),
                    scalar("string", "'x'"),
                    scalar("bytes", "'x'"),
                    scalar("Colour", "BLUE"));

    static final List<Kind> MESSAGES =
            List.of(
                    message("Sub", "ROW<a INT, b INT>"),
                    message("google.protobuf.Timestamp", "ROW<seconds BIGINT, nanos INT>"),
                    message("google.type.Date", "ROW<`year` INT, `month` INT, `day` INT>"),
                    message(
                            "google.type.TimeOfDay",
                            "ROW<hours INT, minutes INT, seconds INT, nanos INT>"),
                    message("confluent.type.Decimal", "ROW<value BYTES, scale INT>"),
                    message("google.protobuf.BoolValue", "ROW<value BOOLEAN>"),
                    message("google.protobuf.Int32Value", "ROW<value INT>"),
                    message("google.protobuf.Int64Value", "ROW<value BIGINT>"),
                    message("google.protobuf.UInt32Value", "ROW<value BIGINT>|ROW<value INT>"),
                    message("google.protobuf.UInt64Value", "ROW<value BIGINT>"),
                    message("google.protobuf.FloatValue", "ROW<value FLOAT>"),
                    message("google.protobuf.DoubleValue", "ROW<value DOUBLE>"),
                    message("google.protobuf.StringValue", "ROW<value STRING>"),
                    message("google.protobuf.BytesValue", "ROW<value BYTES>"),
                    message("google.protobuf.Duration", "ROW<seconds BIGINT, nanos INT>"),
                    message("google.protobuf.Any", "ROW<type_url STRING, value BYTES>"),
                    message("google.protobuf.Empty", "ROW<>"),
                    message("google.protobuf.FieldMask", "ROW<paths ARRAY<STRING>>"),
                    message(
                            "google.protobuf.Struct",
                            "ROW<fields MAP<STRING, ROW<string_value STRING>>>"),
                    message("google.protobuf.Value", "ROW<string_value STRING>"),
                    message(
                            "google.protobuf.ListValue",
                            "ROW<values ARRAY<ROW<bool_value BOOLEAN>>>"),
                    message("google.type.Decimal", "ROW<value STRING>"),
                    message("confluent.type.Variant", "ROW<metadata BYTES, value BYTES>"));

    /** As schema texts write it. */
    final String name;

    /** A default that proto2 may declare; null for messages. */
    final String defaultValue;

    /** SQL types to ask for; alternatives are parted by a bar. */
    final List<String> sqlTypes;

    private Kind(String name, String defaultValue, List<String> sqlTypes) {
        this.name = name;
        this.defaultValue = defaultValue;
        this.sqlTypes = sqlTypes;
    }

    private static Kind scalar(String name, String defaultValue) {
        return new Kind(name, defaultValue, SQL_TYPES);
    }

    private static Kind message(String name, String row) {
        return new Kind(name, null, withRow(row));
    }

    /** The SQL types that every kind is asked for, and some more. */
    static List<String> withRow(String... more) {
        List<String> all = new ArrayList<>(SQL_TYPES);
        all.remove(all.size() - 1); // columns that a message lacks are NULL in CONFLUENT
        all.addAll(Arrays.asList(more));
        return all;
    }

    /** As the table names it. */
    String label() {
        switch (name) {
            case "Colour":
                return "enum";
            case "Sub":
                return "message";
            default:
                return "`" + name + "`";
        }
    }

    /** Whether it may be the key of a map. */
    boolean isKey() {
        return defaultValue != null && !NO_KEYS.contains(name);
    }

    static List<Kind> all() {
        List<Kind> all = new ArrayList<>(SCALARS);
        all.addAll(MESSAGES);
        return all;
    }
}
