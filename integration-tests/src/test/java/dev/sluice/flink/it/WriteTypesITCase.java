package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.Registry;

import org.apache.flink.table.annotation.DataTypeHint;
import org.apache.flink.table.functions.ScalarFunction;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Every SQL type that a schema is derived of (T1 to T10), nullable and NOT NULL, there and back.
 * The registered text is the one in {@code written/types.proto}.
 *
 * <p>The planner of Flink 1.20 has no TIME with a precision, and forgets NOT NULL inside of a
 * nullable ROW: neither stands here.
 */
class WriteTypesITCase {

    /** Types, and a value of each in SQL. */
    private static final List<String[]> TYPES =
            List.of(
                    of("BOOLEAN", "TRUE"),
                    of("TINYINT", "-128"),
                    of("SMALLINT", "-32768"),
                    of("INT", "-2147483648"),
                    of("BIGINT", "9223372036854775807"),
                    of("FLOAT", "-1.5"),
                    of("DOUBLE", "1e300"),
                    of("CHAR(3)", "'abc'"),
                    of("VARCHAR(5)", "'žluť'"),
                    of("STRING", "'long enough to be stored apart'"),
                    of("BINARY(2)", "x'00ff'"),
                    of("VARBINARY(3)", "x'80'"),
                    of("BYTES", "x''"),
                    of("DATE", "DATE '1969-12-31'"),
                    of("TIME", "TIME '23:59:59'"),
                    of("TIME(0)", "TIME '00:00:00'"),
                    of("TIMESTAMP", "TIMESTAMP '1969-12-31 23:59:59.999999'"),
                    of("TIMESTAMP(3)", "TIMESTAMP '2026-01-01 00:00:00.001'"),
                    of("TIMESTAMP(9)", "TIMESTAMP '0001-01-01 00:00:00.000000001'"),
                    of("TIMESTAMP_LTZ(3)", "TO_TIMESTAMP_LTZ(-1, 3)"),
                    of("TIMESTAMP_LTZ(9)", "TIMESTAMP '9999-12-31 23:59:59.999999999'"),
                    of("DECIMAL(9, 2)", "-1.5"),
                    of("DECIMAL(38, 10)", "'1234567890123456789012345678.0123456789'"),
                    of("ROW<x DOUBLE, y INT>", "ROW(CAST(NULL AS DOUBLE), 0)"),
                    of("ROW<r ROW<a ARRAY<STRING>>>", "ROW(ROW(ARRAY['', 'x']))"),
                    of("ARRAY<INT NOT NULL>", "ARRAY[0, 1, -1]"),
                    of("ARRAY<STRING>", "ARRAY['x', CAST(NULL AS STRING), '']"),
                    of("ARRAY<DATE NOT NULL>", "ARRAY[DATE '2026-02-28']"),
                    of("ARRAY<ARRAY<INT>>", "ARRAY[ARRAY[1, CAST(NULL AS INT)], ARRAY[2]]"),
                    of("ARRAY<ROW<x INT> NOT NULL>", "ARRAY[ROW(1), ROW(CAST(NULL AS INT))]"),
                    of("MAP<STRING NOT NULL, INT NOT NULL>", "MAP['a', 0, '', 1]"),
                    of("MAP<BIGINT, ROW<x INT>>", "MAP[0, ROW(5), 1, CAST(NULL AS ROW<x INT>)]"),
                    of("MAP<STRING, ARRAY<DOUBLE>>", "MAP['a', ARRAY[0.5]]"),
                    of("MULTISET<STRING>", "PIECES('x')"),
                    of("MULTISET<STRING NOT NULL>", "PIECES('y')"));

    private static String[] of(String type, String value) {
        boolean hasCast = !type.startsWith("MULTISET");
        return new String[] {type, hasCast ? "CAST(" + value + " AS " + type + ")" : value};
    }

    /** SQL has no literal of a MULTISET. */
    public static final class Pieces extends ScalarFunction {
        private static final long serialVersionUID = 1L;

        @DataTypeHint("MULTISET<STRING NOT NULL> NOT NULL")
        public Map<String, Integer> eval(String piece) {
            return Map.of(piece, 2);
        }
    }

    @Test
    void everyTypeIsReadAsItWasWritten() throws Exception {
        Topic topic = Topic.create("written");
        List<String> columns = new ArrayList<>();
        List<String> full = new ArrayList<>();
        List<String> sparse = new ArrayList<>();
        for (int at = 0; at < TYPES.size(); at++) {
            String type = TYPES.get(at)[0];
            String value = TYPES.get(at)[1];
            columns.add(String.format("c%d %s, c%d_set %s NOT NULL", at, type, at, type));
            full.add(value + ", " + value);
            sparse.add("CAST(NULL AS " + type + "), " + value);
        }
        Sql sql =
                ConfluentTable.over(topic, String.join(", ", columns), Registry.shared().url())
                        .with("auto-register-schemas", "true")
                        .with("engine", "native")
                        .create();
        sql.function("PIECES", Pieces.class);
        String values =
                String.format(
                        "SELECT %s UNION ALL SELECT %s",
                        String.join(", ", full), String.join(", ", sparse));
        long before = CountReporter.total("nativeRecordsWritten");
        sql.insert("INSERT INTO t " + values);

        assertThat(CountReporter.total("nativeRecordsWritten") - before).isEqualTo(2);
        assertThat(Registry.shared().latestText(topic.name() + "-value")).isEqualTo(golden());
        List<String> rows = sql.rows("SELECT * FROM t");
        assertThat(rows).containsExactlyInAnyOrderElementsOf(sql.rows(values));
        assertThat(
                        rows.stream()
                                .filter(row -> row.startsWith("+I[true, "))
                                .collect(Collectors.toList()))
                .hasSize(1);
        assertThat(PythonClient.values(topic)).hasSize(2);
    }

    private static String golden() throws Exception {
        try (InputStream text =
                WriteTypesITCase.class.getResourceAsStream("/written/types.proto")) {
            String file = new String(text.readAllBytes(), StandardCharsets.UTF_8);
            return file.substring(file.indexOf("syntax = ")); // behind its header
        }
    }
}
