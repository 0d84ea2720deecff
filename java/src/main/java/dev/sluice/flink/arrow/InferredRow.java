package dev.sluice.flink.arrow;

import com.google.protobuf.CodedInputStream;

import dev.sluice.flink.plan.SqlType;

import java.io.IOException;

/** Row types that were inferred from a schema. */
final class InferredRow {
    /** SQL types nest deeper than protobuf-java reads by default. */
    private static final int DEPTH_MAX = 1000;

    /**
     * The same row with columns that may be NULL, inside of other columns as well: a writer schema
     * that lacks a field gives NULL for it. Elements, keys and values stay as they are.
     *
     * @param row a serialized {@code SqlType}
     */
    static byte[] nullableColumns(byte[] row) throws IOException {
        CodedInputStream bytes = CodedInputStream.newInstance(row);
        bytes.setRecursionLimit(DEPTH_MAX);
        return relaxed(SqlType.parseFrom(bytes)).toByteArray();
    }

    private static SqlType relaxed(SqlType type) {
        SqlType.Builder relaxed = type.toBuilder();
        for (int at = 0; at < type.getColumnsCount(); at++) {
            SqlType column = relaxed(type.getColumns(at).getType());
            relaxed.getColumnsBuilder(at).setType(column.toBuilder().setNullable(true));
        }
        if (type.hasElement()) {
            relaxed.setElement(relaxed(type.getElement()));
        }
        if (type.hasKey()) {
            relaxed.setKey(relaxed(type.getKey()));
        }
        if (type.hasValue()) {
            relaxed.setValue(relaxed(type.getValue()));
        }
        return relaxed.build();
    }

    private InferredRow() {}
}
