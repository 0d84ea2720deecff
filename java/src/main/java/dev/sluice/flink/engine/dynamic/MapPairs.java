package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.Arrays;

/**
 * Maps: native {@code map<>} fields and entry-shaped messages (T8), as MAP and MULTISET. Key and
 * value of an entry-shaped message are fields or oneofs (T14); a oneof is read as the ROW of its
 * members.
 */
final class MapPairs {
    static final String KEY = "key";
    private static final String VALUE = "value";
    static final SqlType COUNT = SqlType.newBuilder().setKind(SqlKind.INTEGER).build();

    private final RowCompiler rows;

    MapPairs(RowCompiler rows) {
        this.rows = rows;
    }

    /** Whether a repeated field can be a column of this kind; FLINK knows native maps only. */
    boolean isMap(FieldDescriptor field, SqlType sql) {
        if (rows.isFlink()) {
            return field.isMapField() && sql.getKind() == SqlKind.MAP;
        }
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    }

    /**
     * Whether entries with this value field are dropped if its enum lacks the number: FLINK, a
     * native map, a closed enum.
     */
    boolean dropsUnknown(FieldDescriptor value, Context context) {
        return rows.isFlink()
                && context == Context.PART
                && value.getJavaType() == FieldDescriptor.JavaType.ENUM
                && value.legacyEnumFieldTreatedAsClosed();
    }

    ColumnReader map(FieldDescriptor field, SqlType sql, Level level, boolean nullIfEmpty)
            throws RecordException {
        boolean counts = sql.getKind() == SqlKind.MULTISET;
        SqlType key =
                counts
                        ? rows.required(sql.hasElement(), sql.getElement(), field)
                        : rows.required(sql.hasKey() && sql.hasValue(), sql.getKey(), field);
        SqlType value = counts ? COUNT : sql.getValue();
        Descriptor entry = field.getMessageType();
        FieldDescriptor valueField = entry.findFieldByName(VALUE);
        if (!hasPart(entry, KEY) || !hasPart(entry, VALUE)) {
            throw rows.mismatch(field, sql, "has no key and value");
        }
        if (counts && (valueField == null || !isCount(valueField))) {
            throw rows.mismatch(field, sql, "has no INT in its field value");
        }
        Context context = field.isMapField() ? Context.PART : Context.TABLE;
        RowConverter row =
                rows.row(
                        Arrays.asList(SqlKinds.column(KEY, key), SqlKinds.column(VALUE, value)),
                        entry,
                        context,
                        level.inside(field));
        return new MapReader(
                field,
                row,
                rows.isFlink() ? MapKeys.hashed() : MapKeys.firstSeen(key),
                valueField != null && dropsUnknown(valueField, context) ? valueField : null,
                nullIfEmpty);
    }

    /** Whether an entry has a field or a oneof of this name. */
    static boolean hasPart(Descriptor entry, String name) {
        return entry.findFieldByName(name) != null
                || entry.getRealOneofs().stream().anyMatch(oneof -> oneof.getName().equals(name));
    }

    /** Whether the field can hold the count of a MULTISET. */
    static boolean isCount(FieldDescriptor value) {
        switch (value.getType()) {
            case INT32:
            case SINT32:
            case SFIXED32:
                return !value.isRepeated();
            default:
                return false;
        }
    }
}
