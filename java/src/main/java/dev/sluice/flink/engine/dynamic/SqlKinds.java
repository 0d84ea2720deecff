package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

/** SQL types: names in messages, and the kinds that a rule knows. */
final class SqlKinds {
    private SqlKinds() {}

    static String name(SqlType sql) {
        return sql.getKind() == SqlKind.DECIMAL
                ? String.format("DECIMAL(%d, %d)", sql.getPrecision(), sql.getScale())
                : sql.getKind().name();
    }

    /** A nullable column of this kind. */
    static Column column(String name, SqlKind kind) {
        return column(name, SqlType.newBuilder().setKind(kind).setNullable(true).build());
    }

    static Column column(String name, SqlType type) {
        return Column.newBuilder().setName(name).setType(type).build();
    }

    /** Whether Flink reads absent fields of such columns without asking for presence (1.3). */
    static boolean isSimple(SqlKind kind) {
        switch (kind) {
            case BOOLEAN:
            case TINYINT:
            case SMALLINT:
            case INTEGER:
            case BIGINT:
            case FLOAT:
            case DOUBLE:
            case CHAR:
            case VARCHAR:
            case BINARY:
            case VARBINARY:
                return true;
            default:
                return false;
        }
    }
}
