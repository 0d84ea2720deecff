package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Pairs of a message and an SQL type. A message is a ROW of its fields or, in CONFLUENT, one value:
 * that of a well-known type, of a generated wrapper ({@code flink.wrapped}), or its bytes.
 */
final class MessagePairs {
    private static final int DECIMAL_DIGITS_MAX = 38;
    private static final String VALUE = Wrappers.VALUE;

    private final RowCompiler rows;

    MessagePairs(RowCompiler rows) {
        this.rows = rows;
    }

    ValueConverter message(FieldDescriptor field, SqlType sql, Level level) throws RecordException {
        Descriptor type = field.getMessageType();
        if (!rows.isFlink() && Wrappers.isGenerated(field, sql)) {
            return wrapped(field, sql, level, Context.TABLE);
        }
        if (sql.getKind() == SqlKind.ROW) {
            return rows.row(sql.getColumnsList(), type, Context.TABLE, level.inside(field));
        }
        if (rows.isFlink()) {
            throw rows.mismatch(field, sql);
        }
        if (Wrappers.isKnown(type, sql)) {
            return wrapped(field, sql, level, Context.PART);
        }
        ValueConverter known = wellKnown(field, sql, level);
        if (known != null) {
            return known;
        }
        if (sql.getKind() == SqlKind.VARBINARY && field.getType() == FieldDescriptor.Type.MESSAGE) {
            level.takeBytes(field);
            return MessagePairs::bytes;
        }
        throw rows.mismatch(field, sql);
    }

    /** The bytes of a message; none if it stands for an absent one. */
    private static Object bytes(Object message) {
        return message instanceof SplitMessage.Piece
                ? ((SplitMessage.Piece) message).bytes()
                : new byte[0];
    }

    // ---------------------------------------------------------------- well-known types

    private ValueConverter wellKnown(FieldDescriptor field, SqlType sql, Level level)
            throws RecordException {
        SqlKind kind = sql.getKind();
        switch (field.getMessageType().getFullName()) {
            case "google.protobuf.Timestamp":
                return kind == SqlKind.TIMESTAMP || kind == SqlKind.TIMESTAMP_LTZ
                        ? new TimestampConverter(
                                parts(
                                        field,
                                        sql,
                                        level,
                                        SqlKinds.column("seconds", SqlKind.BIGINT),
                                        SqlKinds.column("nanos", SqlKind.INTEGER)),
                                sql.getPrecision())
                        : null;
            case "google.type.Date":
                return kind == SqlKind.DATE
                        ? new DateConverter(integers(field, sql, level, "year", "month", "day"))
                        : null;
            case "google.type.TimeOfDay":
                return kind == SqlKind.TIME
                        ? new TimeConverter(
                                integers(field, sql, level, "hours", "minutes", "seconds", "nanos"),
                                sql.getPrecision())
                        : null;
            case "confluent.type.Decimal":
                return kind == SqlKind.DECIMAL ? decimal(field, sql, level) : null;
            default:
                return null;
        }
    }

    private ValueConverter decimal(FieldDescriptor field, SqlType sql, Level level)
            throws RecordException {
        int precision = sql.getPrecision();
        if (precision < 1 || precision > DECIMAL_DIGITS_MAX || sql.getScale() > precision) {
            throw rows.mismatch(field, sql);
        }
        RowConverter parts =
                parts(
                        field,
                        sql,
                        level,
                        SqlKinds.column("value", SqlKind.VARBINARY),
                        SqlKinds.column("scale", SqlKind.INTEGER),
                        SqlKinds.column("precision", SqlKind.BIGINT));
        return new DecimalConverter(parts, precision, sql.getScale());
    }

    private RowConverter integers(FieldDescriptor field, SqlType sql, Level level, String... names)
            throws RecordException {
        Column[] columns = new Column[names.length];
        for (int at = 0; at < names.length; at++) {
            columns[at] = SqlKinds.column(names[at], SqlKind.INTEGER);
        }
        return parts(field, sql, level, columns);
    }

    /**
     * The fields that make one value. They must all be there, but for a decimal's precision, which
     * one of the two published layouts lacks (decision 6).
     */
    private RowConverter parts(FieldDescriptor field, SqlType sql, Level level, Column... columns)
            throws RecordException {
        Descriptor type = field.getMessageType();
        List<Column> found = new ArrayList<>();
        for (Column column : columns) {
            if (type.findFieldByName(column.getName()) == null
                    && !column.getName().equals("precision")) {
                throw rows.mismatch(field, sql, "has no field " + column.getName());
            }
            found.add(column);
        }
        return rows.parts(found, type, Context.PART, level.inside(field));
    }

    // ---------------------------------------------------------------- wrappers

    /** The {@code value} of a wrapper; of a generated one by the presence rules of any field. */
    private ValueConverter wrapped(FieldDescriptor field, SqlType sql, Level level, Context context)
            throws RecordException {
        if (field.getMessageType().findFieldByName(VALUE) == null) {
            throw rows.mismatch(field, sql, "has no field value to unwrap");
        }
        RowConverter payload =
                rows.row(
                        Collections.singletonList(SqlKinds.column(VALUE, sql)),
                        field.getMessageType(),
                        context,
                        level.inside(field));
        return message -> payload.column((Fields) message, 0);
    }
}
