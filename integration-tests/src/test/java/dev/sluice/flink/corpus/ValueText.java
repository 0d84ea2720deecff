package dev.sluice.flink.corpus;

import com.fasterxml.jackson.databind.JsonNode;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * Values as text, from a case's JSON and from Flink's internal objects: two values are the same
 * exactly when their texts are. Floats keep their bits, timestamps nine digits, and the entries of
 * a map stand in the order of their texts, since theirs has no meaning.
 */
final class ValueText {
    private static final DateTimeFormatter TIMESTAMP =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSSSSS", Locale.ROOT);
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("HH:mm:ss.SSS", Locale.ROOT);

    private ValueText() {}

    // ---------------------------------------------------------------- expected

    static String expected(JsonNode json, LogicalType type) {
        if (json.isNull()) {
            return "null";
        }
        switch (type.getTypeRoot()) {
            case FLOAT:
                return floatText((float) number(json));
            case DOUBLE:
                return doubleText(number(json));
            case CHAR:
            case VARCHAR:
                return quoted(json.asText());
            case ROW:
                return expectedRow(json, (RowType) type);
            case ARRAY:
                StringJoiner elements = new StringJoiner(", ", "[", "]");
                for (JsonNode element : json) {
                    elements.add(expected(element, type.getChildren().get(0)));
                }
                return elements.toString();
            case MAP:
            case MULTISET:
                List<String> entries = new ArrayList<>();
                for (JsonNode entry : json) {
                    entries.add(
                            entry(
                                    expected(entry.get(0), keyType(type)),
                                    expected(entry.get(1), valueType(type))));
                }
                return sorted(entries);
            default: // integers, and what the corpus writes as the text that we compare
                return json.asText();
        }
    }

    private static String expectedRow(JsonNode json, RowType row) {
        if (json.size() != row.getFieldCount()) {
            throw new IllegalArgumentException("not every column, once: " + json);
        }
        StringJoiner columns = new StringJoiner(", ", "{", "}");
        for (RowType.RowField field : row.getFields()) {
            JsonNode value = json.get(field.getName());
            if (value == null) {
                throw new IllegalArgumentException("no column " + field.getName());
            }
            columns.add(field.getName() + ": " + expected(value, field.getType()));
        }
        return columns.toString();
    }

    private static double number(JsonNode json) {
        return json.isNumber() ? json.doubleValue() : Double.parseDouble(json.asText());
    }

    // ---------------------------------------------------------------- actual

    static String actual(Object value, LogicalType type) {
        if (value == null) {
            return "null";
        }
        switch (type.getTypeRoot()) {
            case FLOAT:
                return floatText((Float) value);
            case DOUBLE:
                return doubleText((Double) value);
            case CHAR:
            case VARCHAR:
                return quoted(value.toString());
            case BINARY:
            case VARBINARY:
                return "0x" + HexFormat.of().formatHex((byte[]) value);
            case DECIMAL:
                BigDecimal decimal = ((DecimalData) value).toBigDecimal();
                return decimal.toPlainString();
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                LocalDateTime time = ((TimestampData) value).toLocalDateTime();
                return time.format(TIMESTAMP);
            case DATE:
                return LocalDate.ofEpochDay((Integer) value).toString();
            case TIME_WITHOUT_TIME_ZONE:
                return LocalTime.ofNanoOfDay((Integer) value * 1_000_000L).format(TIME);
            case ROW:
                return actualRow((RowData) value, (RowType) type);
            case ARRAY:
                return actualArray((ArrayData) value, type.getChildren().get(0));
            case MAP:
            case MULTISET:
                return actualMap((MapData) value, type);
            default: // integers and booleans
                return value.toString();
        }
    }

    private static String actualRow(RowData value, RowType row) {
        StringJoiner columns = new StringJoiner(", ", "{", "}");
        for (int i = 0; i < row.getFieldCount(); i++) {
            LogicalType type = row.getTypeAt(i);
            Object field = RowData.createFieldGetter(nullable(type), i).getFieldOrNull(value);
            columns.add(row.getFieldNames().get(i) + ": " + actual(field, type));
        }
        return columns.toString();
    }

    private static String actualArray(ArrayData array, LogicalType element) {
        StringJoiner elements = new StringJoiner(", ", "[", "]");
        for (int i = 0; i < array.size(); i++) {
            elements.add(actual(element(array, element, i), element));
        }
        return elements.toString();
    }

    private static String actualMap(MapData map, LogicalType type) {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < map.size(); i++) {
            entries.add(
                    entry(
                            actual(element(map.keyArray(), keyType(type), i), keyType(type)),
                            actual(
                                    element(map.valueArray(), valueType(type), i),
                                    valueType(type))));
        }
        return sorted(entries);
    }

    private static Object element(ArrayData array, LogicalType type, int at) {
        return ArrayData.createElementGetter(nullable(type)).getElementOrNull(array, at);
    }

    /** A getter for a NOT NULL type does not look at the null bit. */
    private static LogicalType nullable(LogicalType type) {
        return type.copy(true);
    }

    // ---------------------------------------------------------------- both

    private static LogicalType keyType(LogicalType type) {
        return type.getChildren().get(0);
    }

    private static LogicalType valueType(LogicalType type) {
        return type.is(LogicalTypeRoot.MULTISET) ? new IntType(false) : type.getChildren().get(1);
    }

    private static String floatText(float value) {
        return Float.isNaN(value)
                ? "NaN " + Integer.toHexString(Float.floatToRawIntBits(value))
                : Float.toString(value);
    }

    private static String doubleText(double value) {
        return Double.isNaN(value)
                ? "NaN " + Long.toHexString(Double.doubleToRawLongBits(value))
                : Double.toString(value);
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    private static String entry(String key, String value) {
        return key + " = " + value;
    }

    private static String sorted(List<String> entries) {
        TreeMap<String, Integer> counts = new TreeMap<>();
        entries.forEach(entry -> counts.merge(entry, 1, Integer::sum));
        StringJoiner all = new StringJoiner(", ", "<", ">");
        counts.forEach((entry, count) -> all.add(count == 1 ? entry : entry + " x " + count));
        return all.toString();
    }
}
