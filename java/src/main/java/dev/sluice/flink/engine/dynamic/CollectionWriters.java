package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.rowimage.ImageArray;
import dev.sluice.flink.engine.rowimage.ImageCell;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.Arrays;

/** Arrays, maps and multisets to repeated fields. */
final class CollectionWriters {
    private final WriteCompiler rows;
    private final CellPairs values;

    CollectionWriters(WriteCompiler rows, CellPairs values) {
        this.rows = rows;
        this.values = values;
    }

    FieldWriter writer(FieldDescriptor field, SqlType sql) throws RecordException {
        switch (sql.getKind()) {
            case ARRAY:
                if (field.isMapField()) {
                    break;
                }
                return array(field, rows.required(sql.hasElement(), sql.getElement(), field));
            case MAP:
            case MULTISET:
                boolean fits =
                        rows.isFlink()
                                ? field.isMapField()
                                : field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
                if (fits) {
                    return map(field, sql);
                }
                break;
            default:
                break;
        }
        throw rows.mismatch(field, sql);
    }

    private FieldWriter array(FieldDescriptor field, SqlType element) throws RecordException {
        CellConverter converter = values.single(field, element);
        SqlKind kind = element.getKind();
        return (message, cell) -> {
            ImageArray array = cell.array(kind);
            for (int at = 0; at < array.size(); at++) {
                ImageCell value = array.cell(at);
                message.addRepeatedField(
                        field, value == null ? forNull(field, element) : converter.value(value));
            }
        };
    }

    /** A wrapper without its value is a NULL that can be told from a value (T10). */
    private Object forNull(FieldDescriptor field, SqlType element) throws FaultException {
        if (rows.isFlink()) {
            return defaultOf(field);
        }
        boolean isMessage = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        if (isMessage && Wrappers.isGenerated(field, element)) {
            FieldDescriptor payload = field.getMessageType().findFieldByName(Wrappers.VALUE);
            if (payload.isRequired()) {
                throw nullLacksRequired();
            }
            if (payload.hasPresence()) {
                return DynamicMessage.getDefaultInstance(field.getMessageType());
            }
        }
        throw new FaultException(
                FailureCode.NULL_IN_NOT_NULL, "a repeated field cannot hold NULL elements");
    }

    /** FLINK: what is written for NULL. */
    Object defaultOf(FieldDescriptor field) throws FaultException {
        switch (field.getJavaType()) {
            case INT:
                return 0;
            case LONG:
                return 0L;
            case FLOAT:
                return 0f;
            case DOUBLE:
                return 0d;
            case BOOLEAN:
                return false;
            case STRING:
                return rows.nullText();
            case BYTE_STRING:
                return ByteString.EMPTY;
            case ENUM:
                return field.getEnumType().getValues().get(0);
            default:
                if (lacksRequired(field)) {
                    throw nullLacksRequired();
                }
                return DynamicMessage.getDefaultInstance(field.getMessageType());
        }
    }

    /** Whether an empty message cannot be written. */
    static boolean lacksRequired(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && field.getMessageType().getFields().stream()
                        .anyMatch(FieldDescriptor::isRequired);
    }

    static FaultException nullLacksRequired() {
        return new FaultException(
                FailureCode.MISSING_REQUIRED,
                "a NULL would be an empty message, which lacks required fields");
    }

    private FieldWriter map(FieldDescriptor field, SqlType sql) throws RecordException {
        boolean counts = sql.getKind() == SqlKind.MULTISET;
        SqlType key =
                counts
                        ? rows.required(sql.hasElement(), sql.getElement(), field)
                        : rows.required(sql.hasKey() && sql.hasValue(), sql.getKey(), field);
        SqlType value = counts ? MapPairs.COUNT : sql.getValue();
        Descriptor entry = field.getMessageType();
        if (!MapPairs.hasPart(entry, MapPairs.KEY) || !MapPairs.hasPart(entry, Wrappers.VALUE)) {
            throw rows.mismatch(field, sql, "has no key and value");
        }
        FieldDescriptor valueField = entry.findFieldByName(Wrappers.VALUE);
        if (counts && (valueField == null || !MapPairs.isCount(valueField))) {
            throw rows.mismatch(field, sql, "has no INT in its field value");
        }
        MessageWriter writer =
                rows.row(
                        Arrays.asList(
                                SqlKinds.column(MapPairs.KEY, key),
                                SqlKinds.column(Wrappers.VALUE, value)),
                        entry,
                        !field.isMapField());
        SqlKind keyKind = key.getKind();
        SqlKind valueKind = value.getKind();
        if (rows.isFlink()) {
            HashedEntries hashed = new HashedEntries(field, writer, lacksRequired(valueField));
            return (message, cell) -> hashed.write(message, cell.map(keyKind, valueKind));
        }
        return (message, cell) -> {
            ImageArray[] sides = cell.map(keyKind, valueKind);
            for (int at = 0; at < sides[0].size(); at++) {
                message.addRepeatedField(field, HashedEntries.entry(writer, sides, at));
            }
        };
    }
}
