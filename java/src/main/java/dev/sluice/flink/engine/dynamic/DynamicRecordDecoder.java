package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Frame;
import dev.sluice.flink.engine.FrameCache;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.RefusedFrames;
import dev.sluice.flink.engine.UnframedMessage;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.engine.rowimage.RowImage;
import dev.sluice.flink.engine.rowimage.RowTooLargeException;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;

/**
 * Decodes in plain Java: the same plan, rules, rows and failure codes as native code. Keeps a
 * program for each of the frames that it has met last.
 */
public final class DynamicRecordDecoder implements RecordDecoder {
    /** Fewer than native code remembers, as a program is larger here. */
    private static final int FRAMES_MAX = 1000;

    /**
     * The same for their serialized schemas, together: a program takes some thirty times as much.
     */
    private static final long SCHEMA_BYTES_MAX = 4 << 20;

    private final KnownPlan plan;
    private final byte[] planBytes;
    private final WriterSchemas schemas;
    private final boolean framed;
    private final CountedProgram fixed; // of a plan that brings its schema along; else null
    private final String messageName; // the only one that is asked for, or null
    private final UnframedMessage unframed;
    private Optional<CountedProgram> unframedProgram; // null until the first record without frame
    private final RefusedFrames refused = new RefusedFrames();
    private final FrameCache<Optional<CountedProgram>> byFrame =
            new FrameCache<>(FRAMES_MAX, SCHEMA_BYTES_MAX);
    private final Map<String, AtomicLong> byMessage = new ConcurrentHashMap<>();
    private final RowImage image;

    private int messagesMet;
    private volatile long records;
    private volatile boolean closed;

    /**
     * Opens a decoder.
     *
     * @param plan a serialized {@code Plan}
     * @param schemas asked for each frame that is met for the first time
     * @throws RecordException if the plan is refused
     */
    public DynamicRecordDecoder(byte[] plan, WriterSchemas schemas) throws RecordException {
        this.plan = KnownPlan.read(plan);
        this.planBytes = plan.clone();
        this.schemas = schemas;
        framed = this.plan.plan().getFraming() == Framing.REGISTRY;
        boolean isFixed =
                this.plan.plan().getMessage().getByCase() == MessageSelection.ByCase.SCHEMA;
        if (!framed && !isFixed) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "records without frame need a schema in the plan");
        }
        MessageSelection selection = this.plan.plan().getMessage();
        messageName =
                selection.getByCase() == MessageSelection.ByCase.NAME ? selection.getName() : null;
        unframed = new UnframedMessage(this.plan.plan(), schemas);
        fixed =
                isFixed
                        ? compile(
                                linked(this.plan.plan().getDescriptors()), SchemaOrigin.NONE, null)
                        : null;
        image = new RowImage(this.plan.plan().getRow(), this.plan.rowBytesMax());
    }

    private static Descriptor linked(WriterDescriptors message) throws RecordException {
        if (message.getFilesCount() == 0) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the plan has a schema without its descriptors");
        }
        List<byte[]> files =
                message.getFilesList().stream()
                        .map(ByteString::toByteArray)
                        .collect(Collectors.toList());
        try {
            return WriterSchema.ofDescriptors(files.get(0), files.subList(1, files.size()))
                    .descriptor(message.getMessageName());
        } catch (SchemaException e) {
            throw new RecordException(FailureCode.MALFORMED_PLAN, e.getMessage(), null, e);
        }
    }

    private CountedProgram compile(Descriptor message, SchemaOrigin origin, SchemaKey key)
            throws RecordException {
        DynamicProgram program = DynamicProgram.compile(plan.plan(), message, origin);
        messagesMet++;
        MissingColumns.warn(planBytes, program, key);
        return new CountedProgram(program, count(program.messageName()));
    }

    private AtomicLong count(String message) {
        boolean hasRoom = byMessage.size() < MESSAGES_MAX || byMessage.containsKey(message);
        return byMessage.computeIfAbsent(
                hasRoom ? message : OTHER_MESSAGES, name -> new AtomicLong());
    }

    @Override
    public byte[] decode(byte[] record) throws RecordException, IOException {
        if (closed) {
            throw new RecordException(FailureCode.CLOSED, "the decoder is closed");
        }
        if (record.length > plan.recordBytesMax()) {
            throw new RecordException(
                    FailureCode.RECORD_TOO_LARGE,
                    String.format(
                            "the record has %d bytes, the limit is %d",
                            record.length, plan.recordBytesMax()));
        }
        if (!framed) {
            return decode(record, 0, fixed, null);
        }
        if (unframed.isFor(record)) {
            return decodeUnframed(record);
        }
        Frame frame = read(record);
        CountedProgram program = program(frame).orElse(null);
        return program == null ? null : decode(record, frame.messageOffset(), program, frame.key());
    }

    private byte[] decodeUnframed(byte[] record) throws RecordException, IOException {
        if (unframedProgram == null || unframed.isStaleFor(record)) {
            WriterMessage message = unframed.ask();
            try {
                unframedProgram = program(message, message.origin().key());
            } catch (RecordException e) {
                throw unframed.refused(e);
            }
            unframed.accept(message);
        }
        CountedProgram program = unframedProgram.orElse(null);
        if (program == null) {
            return null;
        }
        if (!program.program.holdsAnyField(record)) {
            throw new RecordException(
                    FailureCode.BAD_FRAME,
                    "the record has no frame, and holds no field of the message that it would be",
                    unframed.key(),
                    program.program.messageName(),
                    "",
                    OptionalLong.of(0),
                    null);
        }
        try {
            return decode(record, 0, program, unframed.key());
        } catch (RecordException e) {
            throw e.ofUnframed();
        }
    }

    /** Empty for a message that the plan does not ask for. */
    private Optional<CountedProgram> program(WriterMessage message, SchemaKey key)
            throws RecordException {
        Descriptor descriptor = message.descriptor();
        if (messageName != null && !messageName.equals(descriptor.getFullName())) {
            return Optional.empty();
        }
        try {
            return Optional.of(compile(descriptor, message.origin(), key));
        } catch (RecordException e) {
            throw key == null ? e : e.withSchema(key);
        }
    }

    private static Frame read(byte[] record) throws RecordException {
        try {
            return Frame.read(record);
        } catch (RecordException e) {
            throw e.withSchema(Frame.findKey(record));
        }
    }

    private Optional<CountedProgram> program(Frame frame) throws RecordException, IOException {
        if (fixed != null) {
            return Optional.of(fixed);
        }
        Optional<CountedProgram> program = byFrame.find(frame);
        if (program == null) {
            refused.check(frame);
            try {
                WriterMessage message = schemas.resolve(frame.key(), frame.indexes());
                program = program(message, frame.key());
                byFrame.put(frame, program, message.resolved().length);
            } catch (RecordException e) {
                refused.add(frame, e);
                throw e;
            }
        }
        return program;
    }

    private byte[] decode(byte[] record, int messageAt, CountedProgram program, SchemaKey key)
            throws RecordException {
        byte[] row;
        try {
            row = image.write(program.program.row(record, messageAt));
        } catch (RecordException e) {
            throw key == null ? e : e.withSchema(key);
        } catch (RowTooLargeException e) {
            throw new RecordException(FailureCode.ROW_TOO_LARGE, e.getMessage(), key, null);
        }
        records++; // one thread writes
        program.rows.lazySet(program.rows.get() + 1); // as above
        return row;
    }

    @Override
    public long records() {
        return records;
    }

    @Override
    public Map<String, Long> recordsByMessage() {
        Map<String, Long> rows = new TreeMap<>();
        byMessage.forEach((name, count) -> rows.put(name, count.get()));
        return rows;
    }

    @Override
    public int messagesMet() {
        return messagesMet;
    }

    @Override
    public boolean isNative() {
        return false;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** A program, and the count of its message, which all of the message's programs share. */
    private static final class CountedProgram {
        final DynamicProgram program;
        final AtomicLong rows;

        CountedProgram(DynamicProgram program, AtomicLong rows) {
            this.program = program;
            this.rows = rows;
        }
    }
}
