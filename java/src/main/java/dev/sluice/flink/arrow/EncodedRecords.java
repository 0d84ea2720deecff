package dev.sluice.flink.arrow;

import dev.sluice.flink.plan.BatchDescription;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/** Records of the rows of a batch. */
public final class EncodedRecords {
    private final byte[] slab;
    private final int[] offsets;
    private final int consumed;
    private final List<RefusedRecord> refused = new ArrayList<>();

    EncodedRecords(byte[] slab, int[] offsets, BatchDescription description) {
        this.slab = slab;
        this.offsets = offsets;
        consumed = description.getConsumed();
        description
                .getRefusedList()
                .forEach(one -> refused.add(new RefusedRecord(one.getIndex(), one.getFailure())));
    }

    /** All records, one behind the other; not copied. */
    public byte[] slab() {
        return slab;
    }

    /** Where each record begins, and where the last one ends; not copied. */
    public int[] offsets() {
        return offsets;
    }

    public int count() {
        return offsets.length - 1;
    }

    /** A copy of one record, frame included. */
    public byte[] record(int at) {
        return Arrays.copyOfRange(slab, offsets[at], offsets[at + 1]);
    }

    /**
     * Rows that have no record because they were refused, by index from the first row looked at.
     */
    public List<RefusedRecord> refused() {
        return Collections.unmodifiableList(refused);
    }

    /** How many rows were looked at: all, unless the slab was full before. */
    public int consumed() {
        return consumed;
    }
}
