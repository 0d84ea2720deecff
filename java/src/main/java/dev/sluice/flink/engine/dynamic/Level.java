package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;

import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Where a plan wants more of a message than protobuf-java tells: which of its fields are taken out
 * of the record as they stand there, and which messages inside it have such fields. Filled while a
 * program is compiled, then read only, except that FLINK adds levels that no column asks for when a
 * record has them. Where nothing is taken out, the whole message is left to protobuf-java.
 */
final class Level {
    private final Descriptor type;
    private final Map<Integer, Part> parts = new LinkedHashMap<>();
    private final Map<Integer, Part> takenOut = new HashMap<>();
    private final Revival revival; // null in CONFLUENT
    private int rows = 1; // columns of type ROW, or the like, that look into the message

    Level(Descriptor type) {
        this(type, null);
    }

    /**
     * @param revival what FLINK takes out beside the columns; null where nothing is
     */
    Level(Descriptor type, Revival revival) {
        this.type = type;
        this.revival = revival;
    }

    /** What a field is taken out for. */
    static final class Part {
        final FieldDescriptor field;
        private final BitSet rows = new BitSet(); // of the level, that ask for the field
        private boolean bytes;
        private boolean numbers;
        private Revival revived; // set if the messages are split whether or not a column asks
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

        /** The level of the message; null if nothing looks into it. */
        Level inside() {
            if (inside == null && revived != null) {
                // Made when it is needed: schemas may be recursive, records are finite.
                inside = new Level(field.getMessageType(), revived);
                inside.close();
            }
            return inside;
        }

        /** Nothing inside is opaque to a row that does not ask for the field: it is checked. */
        private void lookInto() {
            if (bytes && inside == null) {
                inside = new Level(field.getMessageType());
            }
            if (inside != null) {
                inside.parts.values().forEach(Part::lookInto);
            }
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

    /**
     * The level of the messages that a field holds, for one more row over them. Rows are compiled
     * one after the other, each with all that is inside.
     */
    Level inside(FieldDescriptor field) {
        Part part = asked(field);
        if (part.inside == null) {
            part.inside = new Level(field.getMessageType(), revival);
        } else {
            part.inside.rows++;
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
        asked(field).bytes = true;
    }

    void takeNumbers(FieldDescriptor field) {
        asked(field).numbers = true;
    }

    private Part asked(FieldDescriptor field) {
        Part part = part(field);
        part.rows.set(rows);
        return part;
    }

    private Part part(FieldDescriptor field) {
        return parts.computeIfAbsent(field.getNumber(), number -> new Part(field));
    }

    /** Ends the compilation: what is taken out is known, here and inside. */
    void close() {
        if (revival != null) {
            type.getFields().stream()
                    .filter(revival::concerns)
                    .map(this::part)
                    .forEach(
                            part -> {
                                part.revived = revival;
                                takenOut.put(part.field.getNumber(), part);
                            });
        }
        for (Part part : parts.values()) {
            if (part.rows.cardinality() < rows) {
                part.lookInto(); // for a row that does not ask for the field
            }
            if (part.inside != null) {
                part.inside.close();
            }
            if (part.bytes || part.numbers || part.inside != null && part.inside.isSplit()) {
                takenOut.put(part.field.getNumber(), part);
            }
        }
    }

    /** Whether a message member of a oneof goes on where it was when it comes again. */
    boolean revives() {
        return revival != null;
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
