package dev.sluice.flink.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.plan.Profile;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Holds {@code docs/type-mapping.md} against the engines, which are asked for every pair; {@code
 * ./dev mapping} writes its tables anew.
 */
class TypeMappingTest {
    private static final Path PAGE = Path.of(System.getProperty("sluice.docs"), "type-mapping.md");
    private static final String BEGIN = "<!-- asked of the engines: %s -->\n";
    private static final String END = "<!-- end -->\n";

    @Test
    void thePageSaysWhatTheEnginesDo() throws Exception {
        String page = Files.readString(PAGE);
        String asked = with(page, "absent fields", MappingTable.ofAbsentFields());
        asked = with(asked, "empty messages", MappingTable.ofEmptyMessages());
        asked = with(asked, "written values", WrittenTable.text());
        assertThat(asked).doesNotContain(FailureCode.UNSUPPORTED_COLUMN.label());
        if (Boolean.getBoolean("sluice.rewrite")) {
            Files.writeString(PAGE, asked);
        } else {
            assertThat(page).as("./dev mapping brings it up to date").isEqualTo(asked);
        }
    }

    /** What the page says of writing: a pair can be written exactly if it can be read. */
    @Test
    void whatIsReadIsWritten() {
        for (Kind kind : Kind.all()) {
            String text = Texts.proto3(kind.name + " f = 1;");
            for (String sqlTypes : kind.sqlTypes) {
                for (String sqlType : sqlTypes.split("\\|")) {
                    List<String> read = MappingTable.answers(text, "", sqlType);
                    assertThat(
                                    List.of(
                                            isWritten(text, sqlType, Profile.CONFLUENT),
                                            isWritten(text, sqlType, Profile.FLINK)))
                            .as("%s as %s", kind.name, sqlType)
                            .isEqualTo(
                                    List.of(
                                            !read.get(0).equals(Question.MISMATCH),
                                            !read.get(1).equals(Question.MISMATCH)));
                }
            }
        }
    }

    private static boolean isWritten(String text, String sqlType, Profile profile) {
        return !WrittenTable.written(text, sqlType, profile, null).equals(Question.MISMATCH);
    }

    /** What the page says of elements, keys and values. */
    @Test
    void partsOfCollectionsPairAsSingleFieldsDo() {
        for (Kind kind : Kind.all()) {
            for (String sqlType : kind.sqlTypes) {
                List<String> single =
                        MappingTable.answers(Texts.proto3(kind.name + " f = 1;"), "", sqlType);
                assertPairs(single, "repeated " + kind.name + " f = 1;", "ARRAY<%s>", sqlType);
                assertPairs(
                        single,
                        "map<string, " + kind.name + "> f = 1;",
                        "MAP<STRING, %s>",
                        sqlType);
                if (kind.isKey()) {
                    assertPairs(
                            single,
                            "map<" + kind.name + ", int32> f = 1;",
                            "MAP<%s, INT>",
                            sqlType);
                }
            }
        }
    }

    private static void assertPairs(
            List<String> single, String declaration, String collection, String part) {
        String sqlType =
                Arrays.stream(part.split("\\|"))
                        .map(type -> String.format(collection, type))
                        .collect(Collectors.joining("|"));
        String empty = collection.startsWith("ARRAY") ? "[]" : "{}";
        List<String> absent = List.of(empty, "NULL", "NULL", empty);
        List<String> answers = MappingTable.answers(Texts.proto3(declaration), "", sqlType);
        for (int at = 0; at < single.size(); at++) {
            boolean pairs = !single.get(at).equals(Question.MISMATCH);
            assertThat(answers.get(at))
                    .as("%s as %s by %s", declaration, sqlType, Rules.values()[at])
                    .isEqualTo(pairs ? absent.get(at) : Question.MISMATCH);
        }
    }

    /** What the page says of entries without key or value. */
    @Test
    void absentKeysAndValuesOfMapsAreDefaults() {
        for (Kind kind : Kind.SCALARS) {
            for (String sqlType : kind.sqlTypes) {
                String single = Texts.proto3(kind.name + " f = 1;");
                String map = Texts.proto3("map<int32, " + kind.name + "> f = 1;");
                List<String> expected =
                        MappingTable.answers(single, "", sqlType).stream()
                                .map(
                                        answer ->
                                                answer.equals(Question.MISMATCH)
                                                        ? answer
                                                        : "{0: " + answer + "}")
                                .collect(Collectors.toList());
                assertThat(MappingTable.answers(map, "0a00", "MAP<INT, " + sqlType + ">"))
                        .as("%s as %s", kind.name, sqlType)
                        .isEqualTo(expected);
            }
        }
    }

    /** The page with another table at this place. */
    private static String with(String page, String place, String table) {
        String begin = String.format(BEGIN, place);
        assertThat(page).contains(begin);
        int from = page.indexOf(begin) + begin.length();
        int to = page.indexOf(END, from);
        return page.substring(0, from) + "\n" + table + "\n" + page.substring(to);
    }
}
