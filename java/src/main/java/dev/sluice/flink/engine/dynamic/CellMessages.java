package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.rowimage.TimestampValue;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Collections;

/**
 * Pairs of an SQL type and a message: a ROW of its fields or, in CONFLUENT, one value (E2 to E4).
 */
final class CellMessages {
    private static final int DECIMAL_DIGITS_MAX = 38;
    private static final int COMPACT_DECIMAL = 18;
    private static final int COMPACT_TIMESTAMP = 3;
    private static final long SECONDS_MIN = -62_135_596_800L; // 0001-01-01
    private static final long SECONDS_MAX = 253_402_300_799L; // 9999-12-31
    private static final int YEAR_MAX = 9999;
    private static final int MILLION = 1_000_000;
    private static final int MILLIS = 1000;

    private final WriteCompiler rows;

    CellMessages(WriteCompiler rows) {
        this.rows = rows;
    }

    CellConverter message(FieldDescriptor field, SqlType sql) throws RecordException {
        Descriptor type = field.getMessageType();
        if (!rows.isFlink() && Wrappers.isGenerated(field, sql)) {
            return wrapped(field, sql, true);
        }
        if (sql.getKind() == SqlKind.ROW) {
            return rows.row(sql.getColumnsList(), type, true)::writeRow;
        }
        if (rows.isFlink()) {
            throw rows.mismatch(field, sql);
        }
        if (Wrappers.isKnown(type, sql)) {
            return wrapped(field, sql, false);
        }
        CellConverter known = wellKnown(field, sql);
        if (known != null) {
            return known;
        }
        if (sql.getKind() == SqlKind.VARBINARY && field.getType() == FieldDescriptor.Type.MESSAGE) {
            return cell -> new OctetsMessage(ByteString.copyFrom(cell.octets()));
        }
        throw rows.mismatch(field, sql);
    }

    private CellConverter wrapped(FieldDescriptor field, SqlType sql, boolean withOneofs)
            throws RecordException {
        Descriptor type = field.getMessageType();
        if (type.findFieldByName(Wrappers.VALUE) == null) {
            throw rows.mismatch(field, sql, "has no field value to wrap it in");
        }
        MessageWriter payload =
                rows.row(
                        Collections.singletonList(SqlKinds.column(Wrappers.VALUE, sql)),
                        type,
                        withOneofs);
        return cell -> payload.write(column -> cell);
    }

    private CellConverter wellKnown(FieldDescriptor field, SqlType sql) throws RecordException {
        SqlKind kind = sql.getKind();
        switch (field.getMessageType().getFullName()) {
            case "google.protobuf.Timestamp":
                return kind == SqlKind.TIMESTAMP || kind == SqlKind.TIMESTAMP_LTZ
                        ? timestamp(field, sql)
                        : null;
            case "google.type.Date":
                return kind == SqlKind.DATE ? date(field, sql) : null;
            case "google.type.TimeOfDay":
                return kind == SqlKind.TIME ? time(field, sql) : null;
            case "confluent.type.Decimal":
                return kind == SqlKind.DECIMAL ? decimal(field, sql) : null;
            default:
                return null;
        }
    }

    private CellConverter timestamp(FieldDescriptor field, SqlType sql) throws RecordException {
        FieldDescriptor[] parts = parts(field, sql, "seconds", "nanos");
        boolean compact = sql.getPrecision() <= COMPACT_TIMESTAMP;
        return cell -> {
            TimestampValue value = cell.timestamp(compact);
            long seconds = Math.floorDiv(value.millis(), (long) MILLIS);
            long nanos =
                    Math.floorMod(value.millis(), (long) MILLIS) * MILLION + value.nanosOfMilli();
            if (seconds < SECONDS_MIN || seconds > SECONDS_MAX) {
                throw new FaultException(
                        FailureCode.TIMESTAMP_RANGE, "a timestamp is out of the years 1 to 9999");
            }
            return of(parts, seconds, nanos);
        };
    }

    private CellConverter date(FieldDescriptor field, SqlType sql) throws RecordException {
        FieldDescriptor[] parts = parts(field, sql, "year", "month", "day");
        return cell -> {
            LocalDate date = LocalDate.ofEpochDay(cell.int32());
            if (date.getYear() < 1 || date.getYear() > YEAR_MAX) {
                throw new FaultException(
                        FailureCode.BAD_DATE, "a date is out of the years 1 to 9999");
            }
            return of(parts, date.getYear(), date.getMonthValue(), date.getDayOfMonth());
        };
    }

    private CellConverter time(FieldDescriptor field, SqlType sql) throws RecordException {
        FieldDescriptor[] parts = parts(field, sql, "hours", "minutes", "seconds", "nanos");
        return cell -> {
            LocalTime time;
            try {
                time = LocalTime.ofNanoOfDay((long) MILLION * cell.int32());
            } catch (DateTimeException e) {
                throw new FaultException(
                        FailureCode.BAD_TIME, "there is no such millisecond in a day");
            }
            return of(parts, time.getHour(), time.getMinute(), time.getSecond(), time.getNano());
        };
    }

    private CellConverter decimal(FieldDescriptor field, SqlType sql) throws RecordException {
        int precision = sql.getPrecision();
        if (precision < 1 || precision > DECIMAL_DIGITS_MAX || sql.getScale() > precision) {
            throw rows.mismatch(field, sql);
        }
        Descriptor type = field.getMessageType();
        FieldDescriptor value = type.findFieldByName(Wrappers.VALUE);
        FieldDescriptor digits = type.findFieldByName("precision");
        FieldDescriptor[] scale = parts(field, sql, "scale");
        if (value == null) {
            throw rows.mismatch(field, sql, "has no field value");
        }
        boolean compact = precision <= COMPACT_DECIMAL;
        return cell -> {
            BigInteger unscaled =
                    compact ? BigInteger.valueOf(cell.int64()) : new BigInteger(cell.octets());
            DynamicMessage.Builder message =
                    of(scale, sql.getScale()).toBuilder()
                            .setField(value, ByteString.copyFrom(unscaled.toByteArray()));
            if (digits != null) {
                set(message, digits, new BigDecimal(unscaled).precision());
            }
            return message.buildPartial();
        };
    }

    /** Fields of numbers that make one value. */
    private FieldDescriptor[] parts(FieldDescriptor field, SqlType sql, String... names)
            throws RecordException {
        FieldDescriptor[] parts = new FieldDescriptor[names.length];
        for (int at = 0; at < names.length; at++) {
            parts[at] = field.getMessageType().findFieldByName(names[at]);
            if (parts[at] == null) {
                throw rows.mismatch(field, sql, "has no field " + names[at]);
            }
        }
        return parts;
    }

    private static DynamicMessage of(FieldDescriptor[] parts, long... values) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(parts[0].getContainingType());
        for (int at = 0; at < parts.length; at++) {
            set(message, parts[at], values[at]);
        }
        return message.buildPartial();
    }

    private static void set(DynamicMessage.Builder message, FieldDescriptor part, long value) {
        boolean isInt = part.getJavaType() == FieldDescriptor.JavaType.INT;
        message.setField(part, isInt ? (Object) (int) value : (Object) value);
    }
}
