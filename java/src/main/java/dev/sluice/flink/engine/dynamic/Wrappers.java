package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.schema.FieldParameters;

import java.util.EnumSet;
import java.util.Set;

/** Messages whose field {@code value} is the value of a column (CONFLUENT). */
final class Wrappers {
    static final String VALUE = "value";

    private Wrappers() {}

    /** Whether the field is a generated wrapper, and the column its payload. */
    static boolean isGenerated(FieldDescriptor field, SqlType sql) {
        return isWrapper(field) && !isRowOfFields(field, sql);
    }

    /** Whether the message is one of protobuf's own wrappers, of a value of this type. */
    static boolean isKnown(Descriptor message, SqlType sql) {
        return wrapperKinds(message.getFullName()).contains(sql.getKind());
    }

    /** Whether the field's type is a wrapper that the table does not see (T10, T16). */
    static boolean isWrapper(FieldDescriptor field) {
        return "true".equals(FieldParameters.of(field).get("flink.wrapped"));
    }

    /** Whether a ROW means the wrapper's own fields: its payload is no ROW. */
    private static boolean isRowOfFields(FieldDescriptor field, SqlType sql) {
        FieldDescriptor payload = field.getMessageType().findFieldByName(VALUE);
        return sql.getKind() == SqlKind.ROW
                && payload != null
                && (payload.isRepeated()
                        || payload.getJavaType() != FieldDescriptor.JavaType.MESSAGE);
    }

    /** SQL types for the value of a wrapper message of protobuf's own (D9). */
    private static Set<SqlKind> wrapperKinds(String fullName) {
        switch (fullName) {
            case "google.protobuf.DoubleValue":
                return EnumSet.of(SqlKind.DOUBLE);
            case "google.protobuf.FloatValue":
                return EnumSet.of(SqlKind.FLOAT, SqlKind.DOUBLE);
            case "google.protobuf.Int64Value":
                return EnumSet.of(SqlKind.BIGINT);
            case "google.protobuf.UInt64Value":
                return EnumSet.of(SqlKind.BIGINT, SqlKind.DECIMAL);
            case "google.protobuf.Int32Value":
                return EnumSet.of(
                        SqlKind.INTEGER, SqlKind.BIGINT, SqlKind.SMALLINT, SqlKind.TINYINT);
            case "google.protobuf.UInt32Value":
                return EnumSet.of(SqlKind.BIGINT);
            case "google.protobuf.BoolValue":
                return EnumSet.of(SqlKind.BOOLEAN);
            case "google.protobuf.StringValue":
                return EnumSet.of(SqlKind.CHAR, SqlKind.VARCHAR);
            case "google.protobuf.BytesValue":
                return EnumSet.of(SqlKind.BINARY, SqlKind.VARBINARY);
            default:
                return EnumSet.noneOf(SqlKind.class);
        }
    }
}
