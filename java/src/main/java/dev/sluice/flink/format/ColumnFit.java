package dev.sluice.flink.format;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.dynamic.DynamicProgram;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Plan;

import java.util.ArrayList;
import java.util.List;

/**
 * How the columns of a plan fit one message: which it has, which it lacks, and the first that it
 * has as something else. Each column is compiled alone, so that one that does not fit does not hide
 * the others.
 */
final class ColumnFit {
    private final String messageName;
    private final List<String> lacking = new ArrayList<>();
    private int found;
    private RecordException mismatch; // null if every column that is found fits

    private ColumnFit(String messageName) {
        this.messageName = messageName;
    }

    /**
     * @param plan without metadata columns
     */
    static ColumnFit of(Plan plan, Descriptor message) {
        ColumnFit fit = new ColumnFit(message.getFullName());
        for (Column column : plan.getRow().getColumnsList()) {
            fit.add(plan, column, message);
        }
        if (fit.mismatch == null) {
            fit.addWhole(plan, message);
        }
        return fit;
    }

    /** Two columns may stand for one field. */
    private void addWhole(Plan plan, Descriptor message) {
        try {
            DynamicProgram.compile(plan, message);
        } catch (RecordException e) {
            mismatch = e.code() == FailureCode.NULL_IN_NOT_NULL ? null : e;
        }
    }

    private void add(Plan plan, Column column, Descriptor message) {
        Plan.Builder alone = plan.toBuilder();
        alone.getRowBuilder().clearColumns().addColumns(column);
        try {
            List<String> missing = DynamicProgram.compile(alone.build(), message).missingColumns();
            if (missing.contains(column.getName())) {
                lacking.add(column.getName());
            } else {
                found++;
                lacking.addAll(missing); // fields of a ROW
            }
        } catch (RecordException e) {
            if (e.code() == FailureCode.NULL_IN_NOT_NULL) {
                lacking.add(column.getName());
                return;
            }
            found++;
            mismatch = mismatch == null ? e : mismatch;
        }
    }

    String messageName() {
        return messageName;
    }

    /** How many columns have a field, fitting or not. */
    int found() {
        return found;
    }

    /** Columns without a field, nested ones with their path. */
    List<String> lacking() {
        return lacking;
    }

    /** Why the first column that does not fit does not; null if all do. */
    RecordException mismatch() {
        return mismatch;
    }
}
