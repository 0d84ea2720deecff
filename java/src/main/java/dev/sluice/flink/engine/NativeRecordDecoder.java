package dev.sluice.flink.engine;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.NativeDecoder;
import dev.sluice.flink.bridge.PlanRefusedException;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.SchemaOrigin;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Decodes in native code. Native code reads frame and message and keeps the programs of the writer
 * schemas; when it meets a frame for the first time it says so, and the schema is resolved here and
 * handed down before the record is tried again.
 */
public final class NativeRecordDecoder implements RecordDecoder, PollDecoder {
    private static final int PLAN_DEPTH_MAX = 1000;
    private static final int UNKNOWN = -FailureCode.UNKNOWN_SCHEMA.number();

    private final NativeDecoder decoder;
    private final WriterSchemas schemas;
    private final boolean framed;
    private final boolean withOrigin;
    private final UnframedMessage unframed;
    private final RefusedFrames refused = new RefusedFrames();
    private int messagesMet;

    /**
     * Opens a decoder.
     *
     * @param plan a serialized {@code Plan}
     * @param schemas asked for each frame that is met for the first time
     * @throws RecordException if the plan is refused
     * @throws dev.sluice.flink.bridge.NativeUnavailableException if there is no native library
     */
    public NativeRecordDecoder(byte[] plan, WriterSchemas schemas) throws RecordException {
        this.schemas = schemas;
        try {
            this.decoder = new NativeDecoder(plan);
            Plan known = read(plan);
            this.framed = known.getFraming() == Framing.REGISTRY;
            this.withOrigin = known.getMetadataCount() > 0;
            this.unframed = new UnframedMessage(known, schemas);
        } catch (PlanRefusedException e) {
            throw RecordException.of(e.failure(), null);
        } catch (IOException e) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the plan is no plan message", null, e);
        }
    }

    /** Columns nest deeper in a plan than protobuf-java reads by default. */
    private static Plan read(byte[] plan) throws IOException {
        CodedInputStream bytes = CodedInputStream.newInstance(plan);
        bytes.setRecursionLimit(PLAN_DEPTH_MAX);
        return Plan.parseFrom(bytes);
    }

    @Override
    public byte[] decode(byte[] record) throws RecordException, IOException {
        if (unframed.isStaleFor(record)) {
            addUnframed();
        }
        byte[] row = decoder.decodeRow(record);
        return row != null ? row : decodeAgain(record);
    }

    @Override
    public void decodeAll(
            byte[][] prefixes,
            byte[][] records,
            int count,
            int bytesMax,
            byte[][] rows,
            int[] outcomes) {
        if (!refreshesUnframed(prefixes, records, count)) {
            return;
        }
        boolean asks = true;
        int learnedAt = -1;
        int room = bytesMax;
        int at = 0;
        while (at < count && room > 0) {
            int next = decoder.decodeRows(prefixes, records, at, count, room, rows, outcomes);
            for (int row = at; row < next; row++) {
                room -= rows[row] == null ? 0 : rows[row].length;
            }
            boolean isUnknown = next < count && outcomes[next] == UNKNOWN;
            if (isUnknown && asks && next != learnedAt) {
                learnedAt = next;
                Learned learned = learn(prefixes == null ? null : prefixes[next], records[next]);
                asks = learned != Learned.REGISTRY_FAILS;
                at = learned == Learned.KNOWN ? next : next + 1;
            } else if (isUnknown) {
                at = next + 1; // at its turn the registry is asked again, and it fails if that does
            } else if (next == at) {
                return; // its row needs more room
            } else {
                at = next;
            }
        }
    }

    private enum Learned {
        KNOWN,
        REFUSED,
        REGISTRY_FAILS
    }

    private Learned learn(byte[] prefix, byte[] record) {
        try {
            if (prefix == null && unframed.isFor(record)) {
                addUnframed();
            } else {
                addSchema(prefix == null ? record : prefix);
            }
            return Learned.KNOWN;
        } catch (RecordException e) {
            return e.code().isRecordsFault() ? Learned.REFUSED : Learned.REGISTRY_FAILS;
        } catch (IOException e) {
            return Learned.REGISTRY_FAILS;
        }
    }

    /** False if records without frame need a schema that cannot be had: each tells at its turn. */
    private boolean refreshesUnframed(byte[][] prefixes, byte[][] records, int count) {
        if (!unframed.hasLifetime()) {
            return true;
        }
        for (int at = 0; at < count; at++) {
            boolean isBare = prefixes == null || prefixes[at] == null;
            if (isBare && unframed.isStaleFor(records[at])) {
                return learn(null, records[at]) == Learned.KNOWN;
            }
        }
        return true;
    }

    @Override
    public List<String> messages() {
        return decoder.messages();
    }

    private byte[] decodeAgain(byte[] record) throws RecordException, IOException {
        if (decoder.code() == FailureCode.UNKNOWN_SCHEMA) {
            if (unframed.isFor(record)) {
                addUnframed();
            } else {
                addSchema(record);
            }
            byte[] row = decoder.decodeRow(record);
            if (row != null) {
                return row;
            }
        }
        if (decoder.code() == FailureCode.OTHER_MESSAGE) {
            return null;
        }
        throw RecordException.of(decoder.failure(), key(record));
    }

    private SchemaKey key(byte[] record) {
        if (!framed) {
            return null;
        }
        return unframed.isFor(record) ? unframed.key() : Frame.findKey(record);
    }

    private void addSchema(byte[] record) throws RecordException, IOException {
        Frame frame = Frame.read(record);
        refused.check(frame);
        try {
            WriterMessage message = schemas.resolve(frame.key(), frame.indexes());
            add(Arrays.copyOf(record, frame.messageOffset()), message, frame.key());
        } catch (RecordException e) {
            refused.add(frame, e);
            throw e;
        }
    }

    private void addUnframed() throws RecordException, IOException {
        WriterMessage message = unframed.ask();
        try {
            add(new byte[0], message, message.origin().key());
        } catch (RecordException e) {
            throw unframed.refused(e);
        }
        unframed.accept(message);
    }

    private void add(byte[] header, WriterMessage message, SchemaKey key) throws RecordException {
        // Native code reads the key out of a frame; without one it must be told, for its warnings.
        boolean tellsOrigin = withOrigin || header.length == 0;
        byte[] resolved = tellsOrigin ? withOrigin(message) : message.resolved();
        if (!decoder.addSchema(header, resolved)) {
            throw RecordException.of(decoder.failure(), key);
        }
        messagesMet++;
    }

    /** Serialized messages that follow each other are one message. */
    private static byte[] withOrigin(WriterMessage message) {
        SchemaOrigin.Builder origin = SchemaOrigin.newBuilder();
        message.origin().id().ifPresent(origin::setId);
        message.origin().guid().ifPresent(guid -> origin.setGuid(octets(guid)));
        byte[] addition = ResolvedSchema.newBuilder().setOrigin(origin).build().toByteArray();
        byte[] resolved = message.resolved();
        byte[] whole = Arrays.copyOf(resolved, resolved.length + addition.length);
        System.arraycopy(addition, 0, whole, resolved.length, addition.length);
        return whole;
    }

    private static ByteString octets(UUID guid) {
        ByteBuffer octets = ByteBuffer.allocate(2 * Long.BYTES);
        octets.putLong(guid.getMostSignificantBits()).putLong(guid.getLeastSignificantBits());
        return ByteString.copyFrom(octets.array());
    }

    @Override
    public long records() {
        return decoder.records();
    }

    @Override
    public Map<String, Long> recordsByMessage() {
        return decoder.rowsByMessage();
    }

    @Override
    public int messagesMet() {
        return messagesMet;
    }

    @Override
    public boolean isNative() {
        return true;
    }

    @Override
    public void close() {
        decoder.close();
    }
}
