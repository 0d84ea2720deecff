package dev.sluice.flink.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordEncoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.row.RowBytes;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/** The bytes that values of a column are written as, asked of both engines. */
final class WrittenTable {
    private static final ClassLoader LOADER = WrittenTable.class.getClassLoader();
    private static final List<String> WRITTEN_MESSAGES =
            List.of(
                    "google.protobuf.Timestamp",
                    "google.type.Date",
                    "google.type.TimeOfDay",
                    "confluent.type.Decimal",
                    "google.protobuf.Int32Value",
                    "google.protobuf.StringValue");

    private WrittenTable() {}

    static String text() {
        Map<String, List<String>> kindsByBlock = new LinkedHashMap<>();
        for (Kind kind : Kind.all()) {
            if (kind.defaultValue == null && !WRITTEN_MESSAGES.contains(kind.name)) {
                continue;
            }
            String block = block(kind);
            kindsByBlock.computeIfAbsent(block, key -> new ArrayList<>()).add(kind.label());
        }
        StringBuilder table =
                new StringBuilder("| Field 1 | SQL type | Value | CONFLUENT | … with presence ")
                        .append("| FLINK | … with presence |\n")
                        .append("|---".repeat(7))
                        .append("|\n");
        kindsByBlock.forEach(
                (block, kinds) ->
                        table.append(block.replaceFirst("\\|", "| " + String.join(", ", kinds))));
        return table.toString();
    }

    /** The lines of a kind, without its name. */
    private static String block(Kind kind) {
        StringBuilder lines = new StringBuilder();
        boolean isMessage = kind.defaultValue == null;
        for (String alternatives : kind.sqlTypes) {
            String sqlType = alternatives.replaceFirst("\\|.*", "");
            for (Object value : WrittenValues.of(type(sqlType), kind.name)) {
                List<String> answers = new ArrayList<>();
                for (Profile profile : List.of(Profile.CONFLUENT, Profile.FLINK)) {
                    for (String label : List.of("", "optional ")) {
                        String text = Texts.proto3(label + kind.name + " f = 1;");
                        answers.add(
                                isMessage && label.isEmpty()
                                        ? Question.MISMATCH
                                        : written(text, sqlType, profile, value));
                    }
                }
                if (answers.stream().anyMatch(answer -> !answer.equals(Question.MISMATCH))) {
                    StringJoiner cells = new StringJoiner(" | ", "| | ", " |\n");
                    cells.add(SqlNames.of(List.of(sqlType)));
                    cells.add("`" + ValueText.of(value, type(sqlType)) + "`");
                    answers.forEach(cells::add);
                    lines.append(cells);
                }
            }
        }
        return lines.toString();
    }

    private static LogicalType type(String sqlType) {
        return LogicalTypeParser.parse(sqlType, LOADER);
    }

    /** Bytes, a failure's label, or {@link Question#MISMATCH}. */
    static String written(String text, String sqlType, Profile profile, Object value) {
        RowType row = RowType.of(new LogicalType[] {type(sqlType)}, new String[] {"f"});
        byte[] plan = new PlanBuilder(row, profile, Framing.BARE).build();
        String answer = written(Engine.NATIVE, plan, text, row, value);
        assertThat(written(Engine.JAVA, plan, text, row, value))
                .as("%s %s by %s, of\n%s", sqlType, value, profile, text)
                .isEqualTo(answer);
        return answer;
    }

    private static String written(
            Engine engine, byte[] plan, String text, RowType row, Object value) {
        try (RecordEncoder encoder = engine.openEncoder(plan, message(text), new byte[0])) {
            RowBytes bytes = new RowBytes(row);
            bytes.take(GenericRowData.of(value));
            byte[] record = encoder.encode(bytes.bytes(), bytes.offset(), bytes.length());
            return record.length == 0
                    ? "nothing"
                    : "`" + HexFormat.ofDelimiter(" ").formatHex(record) + "`";
        } catch (RecordException e) {
            return e.code() == FailureCode.TYPE_MISMATCH ? Question.MISMATCH : e.code().label();
        }
    }

    private static WriterMessage message(String text) {
        try {
            WriterSchema schema = WriterSchema.of(text, Map.of());
            return WriterMessage.of(schema, new int[] {0}, SchemaOrigin.NONE);
        } catch (SchemaException e) {
            throw new AssertionError(text, e);
        }
    }
}
