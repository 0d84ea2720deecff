package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** The table of C3. */
class SchemaChangesTest {
    private static final String HEAD =
            "syntax = 'proto3'; package p; message Other { int32 a = 1; } ";

    private static List<String> changes(String older, String newer) throws Exception {
        WriterSchema was = WriterSchema.of(older, Map.of());
        WriterSchema is = WriterSchema.of(newer, Map.of());
        return SchemaChanges.incompatible(was.messages().get(0).getFile(), is);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int32 a = 1; | int32 a = 1; int32 b = 2;",
                "int32 a = 1; int32 b = 2; | int32 a = 1;",
                "int32 a = 1; | int64 renamed = 1;",
                "string a = 1; | bytes a = 1;",
                "string a = 1; | repeated string a = 1;",
                "oneof o { int32 a = 1; } | oneof o { int32 a = 1; int32 b = 2; }",
                "oneof o { int32 a = 1; int32 b = 2; } | int32 a = 1;",
                "int32 a = 1; | oneof o { int32 a = 1; }",
                "Other a = 1; | Other a = 1; message New {}",
            })
    void changesThatReadersBear(String older, String newer) throws Exception {
        assertThat(
                        changes(
                                HEAD + "message M { " + older + " }",
                                HEAD + "message M { " + newer + " }"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "int32 a = 1; | string a = 1; | was integer and is text",
                "int32 a = 1; | sint32 a = 1; | was integer and is zigzag integer",
                "int32 a = 1; | Other a = 1; | is message p.Other",
                "map<string, int32> a = 1; | repeated Other a = 1; | was map",
                "Other a = 1; | M a = 1; | was message p.Other and is message p.M",
                "int32 a = 1; | repeated int32 a = 1; | repeated on one side only",
                "oneof o { int32 a = 1; int32 b = 2; } | oneof o { int32 a = 1; } | is gone from"
                        + " oneof o",
                "int32 a = 1; int32 b = 2; | oneof o { int32 a = 1; int32 b = 2; } | members of"
                        + " oneof o",
            })
    void changesThatBreakReaders(String older, String newer, String told) throws Exception {
        assertThat(
                        changes(
                                HEAD + "message M { " + older + " }",
                                HEAD + "message M { " + newer + " }"))
                .singleElement()
                .asString()
                .contains(told);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "package p; message M { required int32 a = 1; } | package p; message M {} | is"
                        + " gone",
                "package p; message M {} | package p; message M { required int32 a = 1; } | is new",
                "package p; message M {} message N {} | package p; message M {} | p.N is gone",
                "package p; message M {} | package q; message M {} | package 'p' became 'q'",
            })
    void changesOfMessagesAndRequiredFields(String older, String newer, String told)
            throws Exception {
        assertThat(changes("syntax = 'proto2'; " + older, "syntax = 'proto2'; " + newer))
                .singleElement()
                .asString()
                .contains(told);
    }
}
