package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * A message of a {@link Level} that is split: some fields are kept as they stand in the record, or
 * are split messages themselves; all others are given to protobuf-java, in the order of the wire,
 * which merges them and keeps its rules. Only plans with such columns pay for it.
 */
final class SplitMessage implements Fields {
    private final Level level;
    private final int levelsLeft;
    private final DynamicMessage.Builder rest;
    private final Map<FieldDescriptor, List<Piece>> pieces = new HashMap<>();
    private final Map<FieldDescriptor, List<Piece>> revivable = new HashMap<>(); // FLINK

    /**
     * @param levelsLeft levels of messages and groups that may still stand inside this one
     */
    SplitMessage(Level level, int levelsLeft) {
        this.level = level;
        this.levelsLeft = levelsLeft;
        this.rest = DynamicMessage.newBuilder(level.type());
    }

    /** A value that was taken out; of a singular message all its occurrences in one. */
    static final class Piece implements Fields {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        private SplitMessage message; // null unless a column looks into it
        private int number;

        byte[] bytes() {
            return bytes.toByteArray();
        }

        /** What a column sees that looks into the message; null if none does. */
        SplitMessage message() {
            return message;
        }

        @Override
        public boolean has(FieldDescriptor field) {
            return message.has(field);
        }

        @Override
        public Object value(FieldDescriptor field) {
            return message.value(field);
        }

        @Override
        public int count(FieldDescriptor field) {
            return message.count(field);
        }

        @Override
        public Object element(FieldDescriptor field, int at) {
            return message.element(field, at);
        }
    }

    Level level() {
        return level;
    }

    DynamicMessage.Builder rest() {
        return rest;
    }

    Map<FieldDescriptor, List<Piece>> pieces() {
        return pieces;
    }

    /**
     * Adds the fields in {@code record[from..to]}, as another occurrence of the message.
     *
     * @throws IOException if protobuf-java refuses them
     */
    void merge(byte[] record, int from, int to) throws IOException {
        CodedInputStream in = CodedInputStream.newInstance(record, from, to - from);
        in.setRecursionLimit(levelsLeft);
        int pending = from; // what was passed over and belongs to the rest
        while (true) {
            int start = from + in.getTotalBytesRead();
            int tag = in.readTag();
            Level.Part part = tag == 0 ? null : level.partOf(tag);
            if (tag == 0) {
                mergeRest(record, pending, to);
                return;
            }
            if (part == null) {
                requireField(in, tag);
                continue;
            }
            mergeRest(record, pending, start);
            take(part, in, tag, record, from);
            pending = from + in.getTotalBytesRead();
        }
    }

    private void take(Level.Part part, CodedInputStream in, int tag, byte[] record, int from)
            throws IOException {
        if (part.wantsNumbers()) {
            piece(part).number = in.readEnum();
            return;
        }
        int start;
        int end;
        if (part.wireType() == WireFormat.WIRETYPE_START_GROUP) {
            start = from + in.getTotalBytesRead();
            end = from + groupEnd(in, tag);
        } else {
            int length = in.readRawVarint32();
            start = from + in.getTotalBytesRead();
            in.skipRawBytes(length);
            end = start + length;
        }
        Piece piece = piece(part);
        if (part.wantsBytes()) {
            piece.bytes.write(record, start, end - start);
        }
        if (part.inside() != null) {
            if (levelsLeft == 0) {
                throw new InvalidProtocolBufferException("nested too deeply");
            }
            if (piece.message == null) {
                piece.message = new SplitMessage(part.inside(), levelsLeft - 1);
            }
            piece.message.merge(record, start, end);
        }
    }

    /** Where the end tag of a group begins; it is read as well. */
    private static int groupEnd(CodedInputStream in, int startTag) throws IOException {
        int number = WireFormat.getTagFieldNumber(startTag);
        while (true) {
            int at = in.getTotalBytesRead();
            int tag = in.readTag();
            if (WireFormat.getTagWireType(tag) == WireFormat.WIRETYPE_END_GROUP
                    && WireFormat.getTagFieldNumber(tag) == number) {
                return at;
            }
            requireField(in, tag);
        }
    }

    /** Passes over a field; the end of a group that did not begin is none, nor is the end. */
    private static void requireField(CodedInputStream in, int tag) throws IOException {
        if (tag == 0 || !in.skipField(tag)) {
            throw new InvalidProtocolBufferException("a group without its end");
        }
    }

    private void mergeRest(byte[] record, int from, int to) throws IOException {
        if (from == to) {
            return;
        }
        CodedInputStream in = CodedInputStream.newInstance(record, from, to - from);
        in.setRecursionLimit(levelsLeft);
        rest.mergeFrom(in);
        in.checkLastTagWas(0);
        // A member that protobuf-java has read clears those that it does not know of.
        clear(taken -> isReplaced(taken.getRealContainingOneof()));
    }

    /** Takes fields out that are replaced; FLINK keeps them for the case that they come again. */
    private void clear(Predicate<FieldDescriptor> isReplaced) {
        for (FieldDescriptor field : List.copyOf(pieces.keySet())) {
            if (isReplaced.test(field)) {
                List<Piece> replaced = pieces.remove(field);
                if (level.revives()) {
                    revivable.put(field, replaced);
                }
            }
        }
    }

    private boolean isReplaced(OneofDescriptor oneof) {
        return oneof != null && rest.getOneofFieldDescriptor(oneof) != null;
    }

    /** The piece that the next occurrence goes to. */
    private Piece piece(Level.Part part) {
        FieldDescriptor field = part.field;
        OneofDescriptor oneof = field.getRealContainingOneof();
        if (oneof != null) {
            rest.clearOneof(oneof);
            clear(other -> other != field && other.getRealContainingOneof() == oneof);
        }
        List<Piece> before = revivable.remove(field);
        if (before != null) {
            pieces.put(field, before);
        }
        List<Piece> all = pieces.computeIfAbsent(field, taken -> new ArrayList<>());
        if (all.isEmpty() || field.isRepeated()) {
            all.add(new Piece());
        }
        return all.get(all.size() - 1);
    }

    // ---------------------------------------------------------------- as converters see it

    private List<Piece> of(FieldDescriptor field) {
        return pieces.getOrDefault(field, Collections.emptyList());
    }

    @Override
    public boolean has(FieldDescriptor field) {
        return !of(field).isEmpty() || rest.hasField(field);
    }

    @Override
    public Object value(FieldDescriptor field) {
        List<Piece> taken = of(field);
        return taken.isEmpty()
                ? WholeMessage.seen(rest.getField(field))
                : seen(field, taken.get(0));
    }

    @Override
    public int count(FieldDescriptor field) {
        List<Piece> taken = of(field);
        return taken.isEmpty() ? rest.getRepeatedFieldCount(field) : taken.size();
    }

    @Override
    public Object element(FieldDescriptor field, int at) {
        List<Piece> taken = of(field);
        return taken.isEmpty()
                ? WholeMessage.seen(rest.getRepeatedField(field, at))
                : seen(field, taken.get(at));
    }

    private static Object seen(FieldDescriptor field, Piece piece) {
        if (field.getJavaType() == FieldDescriptor.JavaType.ENUM) {
            return field.getEnumType().findValueByNumberCreatingIfUnknown(piece.number);
        }
        return piece;
    }
}
