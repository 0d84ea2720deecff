package dev.sluice.flink.engine.agreement;

import dev.sluice.flink.plan.SqlType;

import java.util.stream.Collectors;

/** An SQL type as a person reads it, for failing cases. */
final class RowText {
    private RowText() {}

    static String of(SqlType type) {
        return inside(type) + (type.getNullable() ? "" : " NOT NULL");
    }

    private static String inside(SqlType type) {
        switch (type.getKind()) {
            case ROW:
                return type.getColumnsList().stream()
                        .map(column -> column.getName() + " " + of(column.getType()))
                        .collect(Collectors.joining(", ", "ROW<", ">"));
            case ARRAY:
            case MULTISET:
                return type.getKind() + "<" + of(type.getElement()) + ">";
            case MAP:
                return "MAP<" + of(type.getKey()) + ", " + of(type.getValue()) + ">";
            case DECIMAL:
                return "DECIMAL(" + type.getPrecision() + ", " + type.getScale() + ")";
            case TIME:
            case TIMESTAMP:
            case TIMESTAMP_LTZ:
                return type.getKind() + "(" + type.getPrecision() + ")";
            default:
                return type.getKind().toString();
        }
    }
}
