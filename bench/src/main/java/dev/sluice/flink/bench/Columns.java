package dev.sluice.flink.bench;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.BooleanType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.FloatType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;

import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The columns that Flink's {@code protobuf} format documents for the fields of a message. */
final class Columns {
    private Columns() {}

    static RowType of(Descriptor message) {
        return of(message, field -> true);
    }

    static RowType of(Descriptor message, Predicate<FieldDescriptor> isColumn) {
        List<RowType.RowField> columns =
                message.getFields().stream()
                        .filter(isColumn)
                        .map(field -> new RowType.RowField(field.getName(), type(field)))
                        .collect(Collectors.toList());
        return new RowType(columns);
    }

    private static LogicalType type(FieldDescriptor field) {
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            return new MapType(type(entry.findFieldByNumber(1)), type(entry.findFieldByNumber(2)));
        }
        LogicalType single = single(field);
        return field.isRepeated() ? new ArrayType(single) : single;
    }

    private static LogicalType single(FieldDescriptor field) {
        switch (field.getJavaType()) {
            case INT:
                return new IntType();
            case LONG:
                return new BigIntType();
            case FLOAT:
                return new FloatType();
            case DOUBLE:
                return new DoubleType();
            case BOOLEAN:
                return new BooleanType();
            case STRING:
            case ENUM:
                return new VarCharType(VarCharType.MAX_LENGTH);
            case BYTE_STRING:
                return new VarBinaryType(VarBinaryType.MAX_LENGTH);
            case MESSAGE:
                return of(field.getMessageType());
            default:
                throw new IllegalArgumentException(field.toString());
        }
    }
}
