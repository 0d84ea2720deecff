package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.NativeBatch;
import dev.sluice.flink.bridge.NativeBatchDecoder;
import dev.sluice.flink.bridge.PlanRefusedException;
import dev.sluice.flink.engine.Frame;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.WriterSchemaProvider;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Decodes records of one table into batches. Made by {@link ArrowTable#decoder}; used by one
 * thread, closed by its owner.
 */
public final class ArrowBatchDecoder implements AutoCloseable {
    /** Bytes of records that one call copies into a slab. */
    private static final int SLAB_BYTES_MAX = 1 << 30;

    private final NativeBatchDecoder decoder;
    private final WriterSchemaProvider.Open schemas;

    ArrowBatchDecoder(byte[] plan, byte[] schema, WriterSchemaProvider.Open schemas)
            throws PlanRefusedException {
        this.schemas = schemas;
        decoder = new NativeBatchDecoder(plan, schema);
    }

    /**
     * The batch of these records, which the caller closes. A record that is refused has no row and
     * is told by {@link ArrowBatch#refused}; the others are not touched by it.
     *
     * @param records not changed and not kept; none is null
     * @throws IOException if a writer schema cannot be had for a reason that lies with no record:
     *     the registry is down, or refuses
     */
    public ArrowBatch decode(byte[][] records) throws IOException {
        int count = 0;
        int length = 0;
        while (count < records.length && records[count].length <= SLAB_BYTES_MAX - length) {
            length += records[count].length;
            count++;
        }
        if (count == 0 && records.length > 0) {
            length = records[0].length;
            count = 1;
        }
        byte[] slab = new byte[length];
        int[] offsets = new int[count + 1];
        for (int index = 0; index < count; index++) {
            byte[] record = records[index];
            System.arraycopy(record, 0, slab, offsets[index], record.length);
            offsets[index + 1] = offsets[index] + record.length;
        }
        return decode(slab, offsets);
    }

    /**
     * The batch of records that stand one behind the other.
     *
     * @param slab not changed and not kept
     * @param offsets where each record begins, and where the last one ends
     * @throws IllegalArgumentException if the offsets fall, or leave the slab
     * @throws IOException as {@link #decode(byte[][])} does
     */
    public ArrowBatch decode(byte[] slab, int[] offsets) throws IOException {
        check(slab, offsets);
        List<RefusedRecord> refused = new ArrayList<>();
        boolean isWhole = false;
        try {
            int from = 0;
            while (decoder.decode(slab, offsets, from) < 0) {
                if (decoder.code() != FailureCode.UNKNOWN_SCHEMA) {
                    throw new IllegalStateException("native code: " + decoder.failure());
                }
                from = decoder.position();
                try {
                    addSchema(Arrays.copyOfRange(slab, offsets[from], offsets[from + 1]));
                } catch (RecordException e) {
                    if (!concernsRecord(e.code())) {
                        throw e;
                    }
                    refused.add(new RefusedRecord(from, e));
                    from++;
                }
            }
            isWhole = true;
        } finally {
            if (!isWhole) {
                discard();
            }
        }
        return new ArrowBatch(take(), refused);
    }

    private static void check(byte[] slab, int[] offsets) {
        int last = 0;
        for (int offset : offsets) {
            if (offset < last || offset > slab.length) {
                throw new IllegalArgumentException(
                        "offset " + offset + " falls, or leaves the slab");
            }
            last = offset;
        }
    }

    /** As the format decides what may be skipped: the record, or the schema that it names. */
    private static boolean concernsRecord(FailureCode code) {
        return code != FailureCode.REGISTRY_UNREACHABLE
                && code != FailureCode.REGISTRY_REFUSED
                && code != FailureCode.SCHEMA_HAS_RULES;
    }

    private void addSchema(byte[] record) throws IOException {
        if (Frame.isUnframed(record)) {
            add(new byte[0], schemas.resolveUnframed());
            return;
        }
        Frame frame = Frame.read(record);
        WriterMessage message = schemas.resolve(frame.key(), frame.indexes());
        add(Arrays.copyOf(record, frame.messageOffset()), message);
    }

    private void add(byte[] header, WriterMessage message) throws RecordException {
        if (!decoder.addSchema(header, message.resolved())) {
            RefusedRecord why = new RefusedRecord(0, decoder.failure());
            throw new RecordException(why.code(), why.reason());
        }
    }

    private NativeBatch take() {
        NativeBatch taken = decoder.take();
        if (taken == null) {
            throw new IllegalStateException("native code: " + decoder.code());
        }
        return taken;
    }

    private void discard() {
        NativeBatch begun = decoder.take();
        if (begun != null) {
            begun.close();
        }
    }

    /** Rows made so far. */
    public long rows() {
        return decoder.records();
    }

    /** Releases what is owned; batches live on. Closing twice is allowed, use afterwards is not. */
    @Override
    public void close() {
        decoder.close();
        schemas.close();
    }
}
