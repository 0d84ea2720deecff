package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlType;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;

/**
 * What reading and writing have in common when a table's row meets a message: columns are found by
 * the same names, and refused with the same words.
 */
abstract class TableCompiler {
    private final Descriptor root;
    private final boolean flink;
    private final Deque<String> path = new ArrayDeque<>();

    TableCompiler(Plan plan, Descriptor root) {
        this.root = root;
        this.flink = plan.getProfile() == Profile.FLINK;
    }

    boolean isFlink() {
        return flink;
    }

    /** A column for which the message has nothing. */
    abstract void miss(String column, Descriptor message) throws RecordException;

    void enter(String column) {
        path.addLast(column);
    }

    void leave() {
        path.removeLast();
    }

    /** Columns from the root to the one that is looked at. */
    String fieldPath() {
        return String.join(".", path);
    }

    /** For each column the field or oneof that it stands for; null where there is none. */
    GenericDescriptor[] targets(List<Column> columns, ColumnNames names, Descriptor message)
            throws RecordException {
        GenericDescriptor[] targets = new GenericDescriptor[columns.size()];
        Map<GenericDescriptor, String> taken = new HashMap<>();
        for (int at = 0; at < targets.length; at++) {
            String column = columns.get(at).getName();
            targets[at] = names.find(column);
            if (targets[at] == null) {
                miss(column, message);
                continue;
            }
            String other = taken.putIfAbsent(targets[at], column);
            if (other != null) {
                String what = targets[at] instanceof FieldDescriptor ? "field" : "oneof";
                throw refusal(
                        FailureCode.AMBIGUOUS_COLUMN,
                        String.format(
                                "columns %s and %s both stand for %s %s",
                                other, column, what, targets[at].getName()));
            }
        }
        return targets;
    }

    // ---------------------------------------------------------------- refusals

    SqlType required(boolean isThere, SqlType part, FieldDescriptor field) throws RecordException {
        if (!isThere) {
            String reason = "the SQL type for field " + field.getName() + " lacks its element type";
            throw refusal(FailureCode.MALFORMED_PLAN, reason);
        }
        return part;
    }

    RecordException mismatch(FieldDescriptor field, SqlType sql) {
        return refusal(
                FailureCode.TYPE_MISMATCH,
                String.format(
                        "%s cannot hold field %s, which is %s",
                        SqlKinds.name(sql), field.getName(), typeName(field)));
    }

    RecordException mismatch(FieldDescriptor field, SqlType sql, String why) {
        return refusal(
                FailureCode.TYPE_MISMATCH,
                String.format(
                        "%s cannot hold field %s: %s %s",
                        SqlKinds.name(sql), field.getName(), typeName(field), why));
    }

    private static String typeName(FieldDescriptor field) {
        String name;
        switch (field.getJavaType()) {
            case MESSAGE:
                name = field.getMessageType().getFullName();
                break;
            case ENUM:
                name = "enum " + field.getEnumType().getFullName();
                break;
            default:
                name = field.getLiteType().name().toLowerCase(Locale.ROOT);
                break;
        }
        return field.isRepeated() ? "repeated " + name : name;
    }

    RecordException refusal(FailureCode code, String reason) {
        return new RecordException(
                code, reason, null, root.getFullName(), fieldPath(), OptionalLong.empty(), null);
    }
}
