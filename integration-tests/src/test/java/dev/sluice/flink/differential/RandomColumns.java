package dev.sluice.flink.differential;

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

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/** Columns over a message: all of them, or any subset in any order, nested ones likewise. */
final class RandomColumns {
    private final Random random;
    private final Predicate<FieldDescriptor> readable;
    private final double kept; // the part of the fields that are columns

    /**
     * @param readable whether Flink can read a field; the others are left out
     */
    RandomColumns(Random random, Predicate<FieldDescriptor> readable, double kept) {
        this.random = random;
        this.readable = readable;
        this.kept = kept;
    }

    /**
     * @param depth how many levels of messages inside this one may be columns
     */
    RowType row(Descriptor message, int depth) {
        RowType row = null;
        while (row == null) {
            row = find(message, depth);
        }
        return row;
    }

    /** Null if no field was drawn. */
    private RowType find(Descriptor message, int depth) {
        List<RowType.RowField> columns = new ArrayList<>();
        for (FieldDescriptor field : message.getFields()) {
            if (readable.test(field) && random.nextDouble() < kept) {
                LogicalType type = column(field, depth);
                if (type != null) {
                    columns.add(new RowType.RowField(field.getName(), type));
                }
            }
        }
        Collections.shuffle(columns, random);
        return columns.isEmpty() ? null : new RowType(columns);
    }

    private LogicalType column(FieldDescriptor field, int depth) {
        if (field.isMapField()) {
            LogicalType key = single(field.getMessageType().findFieldByNumber(1), depth);
            LogicalType value = single(field.getMessageType().findFieldByNumber(2), depth);
            return value == null ? null : new MapType(key, value);
        }
        LogicalType one = single(field, depth);
        return one == null || !field.isRepeated() ? one : new ArrayType(one);
    }

    private LogicalType single(FieldDescriptor field, int depth) {
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
                return new VarCharType(VarCharType.MAX_LENGTH);
            case BYTE_STRING:
                return new VarBinaryType(VarBinaryType.MAX_LENGTH);
            case ENUM:
                return random.nextInt(4) == 0
                        ? new IntType()
                        : new VarCharType(VarCharType.MAX_LENGTH);
            default:
                return depth == 0 ? null : find(field.getMessageType(), depth - 1);
        }
    }
}
