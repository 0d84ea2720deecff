package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.NativeBatch;
import dev.sluice.flink.plan.BatchDescription;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Rows of some records as Arrow columns in native memory.
 *
 * <p>The owner closes it; a batch that is dropped unclosed is released by the garbage collector,
 * some time. What was exported outlives it. May be used by any thread, closed while no other reads
 * its buffers.
 */
public final class ArrowBatch implements AutoCloseable {
    private final NativeBatch batch;
    private final BatchDescription description;
    private final List<ArrowColumn> columns = new ArrayList<>();
    private final List<RefusedRecord> refused = new ArrayList<>();

    /**
     * @param alsoRefused records that native code has not seen
     */
    ArrowBatch(NativeBatch batch, List<RefusedRecord> alsoRefused) {
        this.batch = batch;
        description = batch.describe();
        description.getColumnsList().forEach(one -> columns.add(new ArrowColumn(batch, one)));
        description
                .getRefusedList()
                .forEach(one -> refused.add(new RefusedRecord(one.getIndex(), one.getFailure())));
        refused.addAll(alsoRefused);
        refused.sort(Comparator.comparingInt(RefusedRecord::index));
    }

    /** Batches that are neither closed nor collected. For tests of leaks. */
    public static long liveBatches() {
        return NativeBatch.live();
    }

    /** Exported arrays that their consumers have not released. For tests of leaks. */
    public static long liveExports() {
        return NativeBatch.exported();
    }

    /** Rows, in the order of their records. */
    public int rowCount() {
        return Math.toIntExact(description.getRows());
    }

    /**
     * How many of the records were looked at: all, unless the batch was full before. Those that
     * follow belong into the next batch.
     */
    public int consumed() {
        return description.getConsumed();
    }

    /** Records that have no row because they were refused, by index. */
    public List<RefusedRecord> refused() {
        return Collections.unmodifiableList(refused);
    }

    /** Indexes of records that have no row because they hold another message. */
    public List<Integer> skipped() {
        return description.getSkippedList();
    }

    public List<ArrowColumn> columns() {
        return Collections.unmodifiableList(columns);
    }

    /**
     * Hands the batch to another Arrow library: as a struct array, and its schema. The consumer
     * owns both from then on and releases each once; closing this batch does not touch them.
     *
     * @param arrayAddress of room for an {@code ArrowArray} that the consumer allocated
     * @param schemaAddress of room for an {@code ArrowSchema}
     * @throws IllegalArgumentException if no struct can be there
     * @throws IllegalStateException if the batch is closed
     */
    public void export(long arrayAddress, long schemaAddress) {
        batch.export(arrayAddress, schemaAddress);
    }

    /**
     * Hands batches of one decoder over as a stream.
     *
     * @param streamAddress of room for an {@code ArrowArrayStream} that the consumer allocated
     */
    public static void exportStream(List<ArrowBatch> batches, long streamAddress) {
        List<NativeBatch> all = batches.stream().map(one -> one.batch).collect(Collectors.toList());
        NativeBatch.exportStream(all, streamAddress);
    }

    /** Releases the memory, unless an export still needs it. Closing twice is allowed. */
    @Override
    public void close() {
        batch.close();
    }
}
