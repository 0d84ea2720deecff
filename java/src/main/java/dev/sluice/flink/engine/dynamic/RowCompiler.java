package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.ArrayList;
import java.util.List;

/**
 * Rows of a table to converters. Goes along the table's type, which is finite, so recursion in the
 * schema is no trouble; profile, presence and defaults are looked at here and never per record.
 */
final class RowCompiler extends TableCompiler {
    private final boolean readDefaults;
    private final boolean readSimpleDefaults;
    private final ValuePairs values = new ValuePairs(this);
    private final MapPairs maps = new MapPairs(this);
    private final List<String> missingColumns = new ArrayList<>();

    RowCompiler(Plan plan, Descriptor root) {
        super(plan, root);
        this.readDefaults = plan.getReader().getReadDefaults();
        this.readSimpleDefaults = plan.getReader().getReadSimpleDefaults();
    }

    /** Columns whose fields the schema lacks, by path from the root. */
    List<String> missingColumns() {
        return missingColumns;
    }

    /** The row of {@code columns} over a message. */
    RowConverter row(List<Column> columns, Descriptor message, Context context, Level level)
            throws RecordException {
        boolean withOneofs = !isFlink() && context == Context.TABLE;
        ColumnNames names = ColumnNames.ofMessage(message, isFlink(), withOneofs);
        return row(columns, names, message, context, level);
    }

    /** The row of the columns that make one value; none of them is a column of the table. */
    RowConverter parts(List<Column> columns, Descriptor message, Context context, Level level)
            throws RecordException {
        int missing = missingColumns.size();
        RowConverter parts = row(columns, message, context, level);
        missingColumns.subList(missing, missingColumns.size()).clear();
        return parts;
    }

    private RowConverter row(
            List<Column> columns,
            ColumnNames names,
            Descriptor message,
            Context context,
            Level level)
            throws RecordException {
        GenericDescriptor[] targets = targets(columns, names, message);
        ColumnReader[] readers = new ColumnReader[targets.length];
        boolean[] notNull = new boolean[targets.length];
        for (int at = 0; at < targets.length; at++) {
            Column column = columns.get(at);
            if (!column.hasType()) {
                throw refusal(
                        FailureCode.MALFORMED_PLAN, "column " + column.getName() + " has no type");
            }
            enter(column.getName());
            readers[at] = reader(targets[at], column.getType(), context, level);
            leave();
            notNull[at] = !isFlink() && !column.getType().getNullable();
        }
        String[] columnNames = columns.stream().map(Column::getName).toArray(String[]::new);
        return new RowConverter(message.getFullName(), columnNames, readers, notNull);
    }

    /** Decision 10: without a field the column is NULL. Flink's own format does not start. */
    @Override
    void miss(String column, Descriptor message) throws RecordException {
        if (isFlink()) {
            throw refusal(
                    FailureCode.TYPE_MISMATCH, message.getFullName() + " has no field " + column);
        }
        enter(column);
        missingColumns.add(fieldPath());
        leave();
    }

    private ColumnReader reader(GenericDescriptor target, SqlType sql, Context context, Level level)
            throws RecordException {
        if (target == null) {
            return ColumnReader.MISSING;
        }
        return target instanceof FieldDescriptor
                ? field((FieldDescriptor) target, sql, context, level)
                : oneof((OneofDescriptor) target, sql, level);
    }

    private ColumnReader oneof(OneofDescriptor oneof, SqlType sql, Level level)
            throws RecordException {
        if (sql.getKind() != SqlKind.ROW) {
            throw refusal(
                    FailureCode.TYPE_MISMATCH,
                    sql.getKind() + " cannot hold oneof " + oneof.getName());
        }
        ColumnNames members = ColumnNames.ofMembers(oneof);
        return new OneofReader(
                oneof,
                row(
                        sql.getColumnsList(),
                        members,
                        oneof.getContainingType(),
                        Context.TABLE,
                        level));
    }

    private ColumnReader field(FieldDescriptor field, SqlType sql, Context context, Level level)
            throws RecordException {
        boolean readsDefault = readsDefault(field, sql.getKind(), context);
        if (!field.isRepeated()) {
            ValueConverter converter = values.single(field, sql, level);
            if (maps.dropsUnknown(field, context)) {
                level.takeNumbers(field);
            }
            return new SingleReader(field, converter, readsDefault);
        }
        switch (sql.getKind()) {
            case ARRAY:
                if (field.isMapField()) {
                    break;
                }
                SqlType element = required(sql.hasElement(), sql.getElement(), field);
                return new ArrayReader(
                        field,
                        values.single(field, element, level),
                        !isFlink() && !element.getNullable(),
                        !readsDefault);
            case MAP:
            case MULTISET:
                if (maps.isMap(field, sql)) {
                    return maps.map(field, sql, level, !readsDefault);
                }
                break;
            default:
                break;
        }
        throw mismatch(field, sql);
    }

    private boolean readsDefault(FieldDescriptor field, SqlKind kind, Context context) {
        if (context == Context.PART) {
            return true;
        }
        if (!isFlink()) {
            return !field.hasPresence();
        }
        // Decision 7: a field without presence has no other value to give.
        boolean implicit = !field.hasPresence() && !field.isRepeated();
        return readDefaults || implicit || readSimpleDefaults && SqlKinds.isSimple(kind);
    }
}
