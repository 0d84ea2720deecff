package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.NativeBatchEncoder;
import dev.sluice.flink.bridge.PlanRefusedException;

/**
 * Encodes batches of one table into records. Made by {@link ArrowTable#encoder}; used by one
 * thread, closed by its owner.
 */
public final class ArrowBatchEncoder implements AutoCloseable {
    private final NativeBatchEncoder encoder;

    ArrowBatchEncoder(byte[] plan, byte[] schema, byte[] header) throws PlanRefusedException {
        encoder = new NativeBatchEncoder(plan, schema, header);
    }

    /**
     * The records of a batch that an Arrow library exported. Its columns are those of the table, in
     * any order.
     *
     * <p>Both structs are taken: they are released when this returns, also by an exception. Slices
     * are encoded as what they show. A row that is refused has no record.
     *
     * @param arrayAddress of an {@code ArrowArray} that is a struct
     * @param schemaAddress of its {@code ArrowSchema}
     * @throws IllegalArgumentException if the structs contradict each other, a column is missing or
     *     of another type, or there can be no struct at an address
     */
    public EncodedRecords encode(long arrayAddress, long schemaAddress) {
        if (!encoder.encode(arrayAddress, schemaAddress, 0)) {
            RefusedRecord why = new RefusedRecord(0, encoder.failure());
            String path = why.fieldPath().isEmpty() ? "" : " (column " + why.fieldPath() + ")";
            throw new IllegalArgumentException("[" + why.code() + "] " + why.reason() + path);
        }
        return new EncodedRecords(encoder.slab(), encoder.offsets(), encoder.describe());
    }

    /** Releases what is owned. Closing twice is allowed, use afterwards is not. */
    @Override
    public void close() {
        encoder.close();
    }
}
