package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a plan wants more of a message than protobuf-java tells: which of its fields are taken out
 * of the record as they stand there, and which messages inside it have such fields. Filled while a
 * program is compiled, then read only. Where nothing is taken out, the whole message is left to
 * protobuf-java.
 */
final class Level {
    private final Descriptor type;
    private final Map<Integer, Part> parts = new LinkedHashMap<>();
    private final Map<Integer, Part> takenOut = new HashMap<>();

    Level(Descriptor type) {
        this.type = type;
    }

    /** What a field is taken out for. */
    static final class Part {
        final FieldDescriptor field;
        private boolean bytes;
        private boolean numbers;
        private Level inside;

        private Part(FieldDescriptor field) {
            this.field = field;
        }

        /** The message's bytes are a value of their own. */
        boolean wantsBytes() {
            return bytes;
        }

        /** The enum's last number is wanted, also where protobuf-java would not know it. */
        boolean wantsNumbers() {
            return numbers;
        }

        /** The level of the message, if a column looks into it; else null. */
        Level inside() {
            return inside;
        }

        /** The wire type under which the field's values come. */
        int wireType() {
            if (numbers) {
                return WireFormat.WIRETYPE_VARINT;
            }
            return field.getType() == FieldDescriptor.Type.GROUP
                    ? WireFormat.WIRETYPE_START_GROUP
                    : WireFormat.WIRETYPE_LENGTH_DELIMITED;
        }
    }

    Descriptor type() {
        return type;
    }

    /** The level of the messages that a field holds. */
    Level inside(FieldDescriptor field) {
        Part part = part(field);
        if (part.inside == null) {
            part.inside = new Level(field.getMessageType());
        }
        return part.inside;
    }

    /** The level of the messages that a field holds, whether or not a column looks into them. */
    Level at(FieldDescriptor field) {
        Part part = parts.get(field.getNumber());
        return part == null || part.inside == null
                ? new Level(field.getMessageType())
                : part.inside;
    }

    void takeBytes(FieldDescriptor field) {
        part(field).bytes = true;
    }

    void takeNumbers(FieldDescriptor field) {
        part(field).numbers = true;
    }

    private Part part(FieldDescriptor field) {
        return parts.computeIfAbsent(field.getNumber(), number -> new Part(field));
    }

    /** Ends the compilation: what is taken out is known, here and inside. */
    void close() {
        for (Part part : parts.values()) {
            if (part.inside != null) {
                part.inside.close();
            }
            if (part.bytes || part.numbers || part.inside != null && part.inside.isSplit()) {
                takenOut.put(part.field.getNumber(), part);
            }
        }
    }

    /** Whether any field here or inside is taken out. */
    boolean isSplit() {
        return !takenOut.isEmpty();
    }

    /** Whether the content of a field's messages counts, and not just their bytes. */
    boolean looksInto(FieldDescriptor field) {
        Part part = parts.get(field.getNumber());
        return part == null || !part.bytes || part.inside != null;
    }

    /** The part that a tag belongs to; null if its field is left to protobuf-java. */
    Part partOf(int tag) {
        Part part = takenOut.get(WireFormat.getTagFieldNumber(tag));
        return part != null && part.wireType() == WireFormat.getTagWireType(tag) ? part : null;
    }
}
