package dev.sluice.flink.mapping;

import org.apache.flink.table.data.DecimalData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Values that tell how a type is written: the default, and what is special about it. */
final class WrittenValues {
    private WrittenValues() {}

    /** None for types whose values are written as their parts are. */
    static List<Object> of(LogicalType type, String kind) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return List.of(false, true);
            case TINYINT:
                return List.of((byte) 0, (byte) -1);
            case SMALLINT:
                return List.of((short) 0, (short) -1);
            case INTEGER:
                return List.of(0, -1, 300);
            case BIGINT:
                return List.of(0L, -1L, 1L << 32);
            case FLOAT:
                return List.of(0f, -0f, 1.5f);
            case DOUBLE:
                return List.of(0d, -0d, 1.5, 1e300);
            case CHAR:
            case VARCHAR:
                return texts(
                        kind.equals("Colour") ? List.of("RED", "BLUE", "blue") : List.of("", "é"));
            case BINARY:
            case VARBINARY:
                return kind.contains(".")
                        ? List.of()
                        : List.of(new byte[0], "x".getBytes(StandardCharsets.UTF_8));
            case DECIMAL:
                return decimals((DecimalType) type);
            case DATE:
                return List.of(0, -1);
            case TIME_WITHOUT_TIME_ZONE:
                return List.of(0, 3_661_001);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return List.of(TimestampData.fromEpochMillis(0), TimestampData.fromEpochMillis(-1));
            default:
                return List.of();
        }
    }

    private static List<Object> texts(List<String> texts) {
        return texts.stream().map(StringData::fromString).collect(Collectors.toList());
    }

    private static List<Object> decimals(DecimalType type) {
        return Stream.of("0", "-1", "150")
                .map(BigDecimal::new)
                .map(one -> DecimalData.fromBigDecimal(one, type.getPrecision(), type.getScale()))
                .collect(Collectors.toList());
    }
}
