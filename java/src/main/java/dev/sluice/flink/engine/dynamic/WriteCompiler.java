package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.rowimage.ImageCell;
import dev.sluice.flink.engine.rowimage.ImageRow;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Rows of a table to writers of messages. Refused by name: a column without a field, a pair of
 * types that cannot be written, a required field without a column.
 */
final class WriteCompiler extends TableCompiler {
    private final CellPairs values;
    private final CollectionWriters collections;
    private final String nullText;

    WriteCompiler(Plan plan, Descriptor root) {
        super(plan, root);
        this.values = new CellPairs(this);
        this.collections = new CollectionWriters(this, values);
        this.nullText = plan.getWriter().getNullText();
    }

    /** FLINK: what stands for NULL in a collection. */
    String nullText() {
        return nullText;
    }

    /** A value that has no place would be lost. */
    @Override
    void miss(String column, Descriptor message) throws RecordException {
        throw refusal(
                FailureCode.TYPE_MISMATCH,
                message.getFullName() + " has no field " + column + " to write");
    }

    /** The message that {@code columns} are written to. */
    MessageWriter row(List<Column> columns, Descriptor message, boolean withOneofs)
            throws RecordException {
        ColumnNames names = ColumnNames.ofMessage(message, isFlink(), withOneofs && !isFlink());
        GenericDescriptor[] targets = targets(columns, names, message);
        FieldWriter[] writers = new FieldWriter[targets.length];
        Set<FieldDescriptor> set = new HashSet<>();
        for (int at = 0; at < targets.length; at++) {
            Column column = columns.get(at);
            if (!column.hasType()) {
                throw refusal(
                        FailureCode.MALFORMED_PLAN, "column " + column.getName() + " has no type");
            }
            enter(column.getName());
            if (targets[at] instanceof FieldDescriptor) {
                FieldDescriptor field = (FieldDescriptor) targets[at];
                set.add(field);
                FieldWriter writer = field(field, column.getType());
                writers[at] = unlessSet(field.getRealContainingOneof(), isChecked(field), writer);
            } else {
                OneofDescriptor oneof = (OneofDescriptor) targets[at];
                writers[at] = unlessSet(oneof, false, oneof(oneof, column.getType(), set));
            }
            leave();
        }
        return new MessageWriter(message, writers, lacking(message, set));
    }

    /**
     * A later column has set the oneof, if it is one.
     *
     * @param checked whether the value is refused where it could not be written all the same
     */
    private static FieldWriter unlessSet(
            OneofDescriptor oneof, boolean checked, FieldWriter writer) {
        return oneof == null
                ? writer
                : (message, cell) -> {
                    if (!message.hasOneof(oneof)) {
                        writer.write(message, cell);
                    } else if (checked) {
                        writer.write(
                                DynamicMessage.newBuilder(message.getDescriptorForType()), cell);
                    }
                };
    }

    /**
     * FLINK: Flink's own format builds the message of every member that is not NULL, and only then
     * the last one takes the oneof; a message without a required field cannot be built.
     */
    private boolean isChecked(FieldDescriptor field) {
        return isFlink()
                && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                && RequiredFields.reachableFrom(field.getMessageType());
    }

    private FieldDescriptor lacking(Descriptor message, Set<FieldDescriptor> set)
            throws RecordException {
        for (FieldDescriptor field : message.getFields()) {
            if (field.isRequired() && !set.contains(field)) {
                if (isFlink() && !fieldPath().isEmpty()) {
                    return field; // perhaps no record has such a message
                }
                throw refusal(
                        FailureCode.MISSING_REQUIRED,
                        "no column sets " + field.getFullName() + ", which is required");
            }
        }
        return null;
    }

    private FieldWriter field(FieldDescriptor field, SqlType sql) throws RecordException {
        FieldWriter writer;
        if (!field.isRepeated()) {
            CellConverter converter = values.single(field, sql);
            writer = (message, cell) -> set(message, field, converter.value(cell));
        } else {
            writer = collections.writer(field, sql);
        }
        FieldWriter forNull = forNull(field, sql);
        String name = field.getName() + (field.isRepeated() ? "[]" : "");
        return (message, cell) -> {
            try {
                (cell == null ? forNull : writer).write(message, cell);
            } catch (FaultException e) {
                throw e.inside(name);
            }
        };
    }

    /** What a NULL column does: in the entry of a native map, every part has to be there. */
    private FieldWriter forNull(FieldDescriptor field, SqlType sql) {
        if (field.getContainingType().getOptions().getMapEntry()) {
            if (!isFlink()) {
                return refusing(FailureCode.NULL_IN_NOT_NULL);
            }
            return CollectionWriters.lacksRequired(field)
                    ? (message, cell) -> {} // refused with its map, if no later entry replaces it
                    : (message, cell) -> set(message, field, collections.defaultOf(field));
        }
        if (field.isRequired()) {
            return refusing(FailureCode.MISSING_REQUIRED);
        }
        return isFlink() || sql.getNullable()
                ? (message, cell) -> {}
                : refusing(FailureCode.NULL_IN_NOT_NULL);
    }

    private static FieldWriter refusing(FailureCode code) {
        return (message, cell) -> {
            throw new FaultException(code, "NULL cannot be written here");
        };
    }

    /** Defaults stand there from the start; in a map's entry they are written all the same. */
    private static void set(DynamicMessage.Builder message, FieldDescriptor field, Object value) {
        boolean isDefault = !field.hasPresence() && value.equals(field.getDefaultValue());
        if (!isDefault) {
            message.setField(field, value);
        }
    }

    /** The first member that is not NULL. */
    private FieldWriter oneof(OneofDescriptor oneof, SqlType sql, Set<FieldDescriptor> set)
            throws RecordException {
        if (sql.getKind() != SqlKind.ROW) {
            throw refusal(
                    FailureCode.TYPE_MISMATCH,
                    sql.getKind() + " cannot be written to oneof " + oneof.getName());
        }
        List<Column> columns = sql.getColumnsList();
        GenericDescriptor[] targets =
                targets(columns, ColumnNames.ofMembers(oneof), oneof.getContainingType());
        FieldWriter[] members = new FieldWriter[targets.length];
        for (int at = 0; at < targets.length; at++) {
            enter(columns.get(at).getName());
            set.add((FieldDescriptor) targets[at]);
            members[at] = field((FieldDescriptor) targets[at], columns.get(at).getType());
            leave();
        }
        return (message, cell) -> {
            ImageRow row = cell == null ? null : cell.row(members.length);
            for (int at = 0; row != null && at < members.length; at++) {
                ImageCell member = row.cell(at);
                if (member != null) {
                    members[at].write(message, member);
                    return;
                }
            }
        };
    }
}
