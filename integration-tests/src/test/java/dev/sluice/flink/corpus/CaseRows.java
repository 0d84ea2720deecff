package dev.sluice.flink.corpus;

import com.fasterxml.jackson.databind.JsonNode;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.StreamSupport;

/** Values of a case's JSON as Flink's internal objects. */
final class CaseRows {
    private static final int NANOS_OF_MILLI = 1_000_000;

    private CaseRows() {}

    static GenericRowData row(JsonNode json, RowType type) {
        GenericRowData row = new GenericRowData(type.getFieldCount());
        for (int at = 0; at < type.getFieldCount(); at++) {
            JsonNode value = json.get(type.getFieldNames().get(at));
            row.setField(at, value(value, type.getTypeAt(at)));
        }
        return row;
    }

    private static Object value(JsonNode json, LogicalType type) {
        if (json.isNull()) {
            return null;
        }
        String text = json.asText();
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return json.booleanValue();
            case TINYINT:
                return Byte.valueOf(text);
            case SMALLINT:
                return Short.valueOf(text);
            case INTEGER:
                return Integer.valueOf(text);
            case BIGINT:
                return Long.valueOf(text);
            case FLOAT:
                return (float) Double.parseDouble(text);
            case DOUBLE:
                return Double.parseDouble(text);
            case CHAR:
            case VARCHAR:
                return StringData.fromString(text);
            case BINARY:
            case VARBINARY:
                return HexFormat.of().parseHex(text.substring(2));
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                return DecimalData.fromBigDecimal(
                        new BigDecimal(text), decimal.getPrecision(), decimal.getScale());
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return TimestampData.fromLocalDateTime(LocalDateTime.parse(text.replace(' ', 'T')));
            case DATE:
                return (int) LocalDate.parse(text).toEpochDay();
            case TIME_WITHOUT_TIME_ZONE:
                return (int) (LocalTime.parse(text).toNanoOfDay() / NANOS_OF_MILLI);
            case ROW:
                return row(json, (RowType) type);
            case ARRAY:
                LogicalType element = type.getChildren().get(0);
                return new GenericArrayData(
                        StreamSupport.stream(json.spliterator(), false)
                                .map(one -> value(one, element))
                                .toArray());
            default:
                return map(json, type);
        }
    }

    private static GenericMapData map(JsonNode json, LogicalType type) {
        boolean counts = type.is(LogicalTypeRoot.MULTISET);
        LogicalType valueType = counts ? new IntType(false) : type.getChildren().get(1);
        Map<Object, Object> map = new LinkedHashMap<>();
        for (JsonNode entry : json) {
            map.put(value(entry.get(0), type.getChildren().get(0)), value(entry.get(1), valueType));
        }
        return new GenericMapData(map);
    }
}
