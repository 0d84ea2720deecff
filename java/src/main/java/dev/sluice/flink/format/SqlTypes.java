package dev.sluice.flink.format;

import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

/**
 * Flink's logical types as the plan's SQL types.
 *
 * <p>Refuses types that no Protobuf field of any schema can hold, naming column and type. Whether a
 * column fits the field that a schema has is decided where a schema is at hand, not here.
 */
final class SqlTypes {

    static SqlType ofRow(RowType row) {
        return rowType("", row);
    }

    /**
     * @param path the column from the root, {@code line[].sku}
     */
    private static SqlType of(String path, LogicalType type) {
        switch (type.getTypeRoot()) {
            case CHAR:
                return sized(SqlKind.CHAR, type);
            case VARCHAR:
                return sized(SqlKind.VARCHAR, type);
            case BINARY:
                return sized(SqlKind.BINARY, type);
            case VARBINARY:
                return sized(SqlKind.VARBINARY, type);
            case BOOLEAN:
                return plain(SqlKind.BOOLEAN, type).build();
            case TINYINT:
                return plain(SqlKind.TINYINT, type).build();
            case SMALLINT:
                return plain(SqlKind.SMALLINT, type).build();
            case INTEGER:
                return plain(SqlKind.INTEGER, type).build();
            case BIGINT:
                return plain(SqlKind.BIGINT, type).build();
            case FLOAT:
                return plain(SqlKind.FLOAT, type).build();
            case DOUBLE:
                return plain(SqlKind.DOUBLE, type).build();
            case DATE:
                return plain(SqlKind.DATE, type).build();
            case DECIMAL:
                return plain(SqlKind.DECIMAL, type)
                        .setPrecision(((DecimalType) type).getPrecision())
                        .setScale(((DecimalType) type).getScale())
                        .build();
            case TIME_WITHOUT_TIME_ZONE:
                return timed(SqlKind.TIME, type);
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                return timed(SqlKind.TIMESTAMP, type);
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return timed(SqlKind.TIMESTAMP_LTZ, type);
            case ARRAY:
                return plain(SqlKind.ARRAY, type)
                        .setElement(of(path + "[]", ((ArrayType) type).getElementType()))
                        .build();
            case MULTISET:
                return plain(SqlKind.MULTISET, type)
                        .setElement(of(path + "[]", ((MultisetType) type).getElementType()))
                        .build();
            case MAP:
                return plain(SqlKind.MAP, type)
                        .setKey(of(path + ".key", ((MapType) type).getKeyType()))
                        .setValue(of(path + ".value", ((MapType) type).getValueType()))
                        .build();
            case ROW:
                return rowType(path, (RowType) type);
            default:
                // Also the types that a later Flink adds.
                throw new ValidationException(
                        String.format(
                                "Column '%s' of type %s cannot be read from Protobuf: no field can"
                                        + " hold a value of this type.",
                                path, type.asSummaryString()));
        }
    }

    private static SqlType rowType(String path, RowType row) {
        SqlType.Builder built = plain(SqlKind.ROW, row);
        for (RowType.RowField field : row.getFields()) {
            String column = path.isEmpty() ? field.getName() : path + "." + field.getName();
            built.addColumns(
                    Column.newBuilder()
                            .setName(field.getName())
                            .setType(of(column, field.getType())));
        }
        return built.build();
    }

    private static SqlType sized(SqlKind kind, LogicalType type) {
        return plain(kind, type).setLength(LogicalTypeChecks.getLength(type)).build();
    }

    private static SqlType timed(SqlKind kind, LogicalType type) {
        return plain(kind, type).setPrecision(LogicalTypeChecks.getPrecision(type)).build();
    }

    private static SqlType.Builder plain(SqlKind kind, LogicalType type) {
        return SqlType.newBuilder().setKind(kind).setNullable(type.isNullable());
    }

    private SqlTypes() {}
}
