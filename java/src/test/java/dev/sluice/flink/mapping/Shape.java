package dev.sluice.flink.mapping;

import java.util.List;

/**
 * A field that is more than a type: a group, a oneof, a collection, a wrapper of our own making.
 */
final class Shape {
    private static final String WRAPPED =
            " f = 1 [(confluent.field_meta) = { params: [ { key: 'flink.wrapped', value: 'true' } ]"
                    + " }];";

    static final List<Shape> ALL =
            List.of(
                    new Shape(
                            "any field with presence, here `int32`",
                            "yes",
                            Texts.proto3("optional int32 f = 1;"),
                            List.of("INT NOT NULL"),
                            null),
                    new Shape(
                            "group",
                            "yes",
                            Texts.proto2("optional group F = 1 { optional int32 a = 1; }"),
                            Kind.withRow("ROW<a INT>"),
                            "0b0c"),
                    new Shape(
                            "oneof, column named after it",
                            "yes",
                            Texts.proto3("oneof f { int32 a = 1; string b = 2; }"),
                            Kind.withRow("ROW<a INT, b STRING>"),
                            null),
                    new Shape(
                            "`flink.wrapped` message of a repeated `value`",
                            "yes",
                            Texts.proto3("Collection" + WRAPPED),
                            Kind.withRow("ROW<value ARRAY<INT>>"),
                            "0a00"),
                    new Shape(
                            "`flink.wrapped` message of entries `value`",
                            "yes",
                            Texts.proto3("Entries" + WRAPPED),
                            Kind.withRow("ROW<value ARRAY<ROW<key STRING>>>"),
                            "0a00"),
                    new Shape(
                            "repeated `flink.wrapped` message of an optional `value`",
                            "no",
                            Texts.proto3("repeated Element" + WRAPPED),
                            Kind.withRow("ARRAY<STRING>", "ARRAY<ROW<value STRING>>"),
                            "0a00"),
                    new Shape(
                            "any repeated field, here `int32`",
                            "no",
                            Texts.proto3("repeated int32 f = 1;"),
                            List.of("ARRAY<INT>"),
                            null),
                    new Shape(
                            "repeated message",
                            "no",
                            Texts.proto3("repeated Sub f = 1;"),
                            Kind.withRow("ARRAY<ROW<a INT, b INT>>", "ARRAY<BYTES>"),
                            "0a00"),
                    new Shape(
                            "repeated message of fields `key` and `value`",
                            "no",
                            Texts.proto3("repeated FEntry f = 1;"),
                            Kind.withRow("ARRAY<ROW<key STRING, value INT>>"),
                            "0a00"),
                    new Shape(
                            "repeated message of a oneof `key` and a field `value`",
                            "no",
                            Texts.proto3("repeated OneofEntry f = 1;"),
                            Kind.withRow(
                                    "ARRAY<ROW<key ROW<a INT, b STRING>, value INT>>",
                                    "MAP<ROW<a INT, b STRING>, INT>",
                                    "MULTISET<ROW<a INT, b STRING>>"),
                            "0a00"),
                    new Shape(
                            "`map<string, int32>`",
                            "no",
                            Texts.proto3("map<string, int32> f = 1;"),
                            Kind.withRow("ARRAY<ROW<key STRING, value INT>>"),
                            "0a00"),
                    new Shape(
                            "`map<string, Message>`",
                            "no",
                            Texts.proto3("map<string, Sub> f = 1;"),
                            Kind.withRow("MAP<STRING, ROW<a INT, b INT>>", "MAP<STRING, BYTES>"),
                            "0a00"));

    final String label;
    final String presence;
    final String text;
    final List<String> sqlTypes;

    /** A record in which the message is there and empty; null if there is no such message. */
    final String empty;

    private Shape(String label, String presence, String text, List<String> sqlTypes, String empty) {
        this.label = label;
        this.presence = presence;
        this.text = text;
        this.sqlTypes = sqlTypes;
        this.empty = empty;
    }
}
