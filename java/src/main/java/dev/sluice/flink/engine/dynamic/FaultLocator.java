package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.dynamic.WireReader.WireException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Finds out why protobuf-java refused a record: its exceptions tell neither field nor place, and
 * their texts are no contract. The record is walked once more along its descriptor, in the order of
 * the wire and by protobuf-java's rules, up to the first fault; absent required fields are looked
 * for when there is no other.
 *
 * <p>Never asked whether a record is right, only what is wrong with one that was refused. The place
 * is where the field begins that cannot be read; in a packed run, where the element begins; for an
 * absent field, where the message begins that lacks it. Native code tells the same.
 */
final class FaultLocator {
    private final WireReader wire;
    private final int depthMax;
    private final Deque<String> path = new ArrayDeque<>(); // innermost field last

    private FaultLocator(byte[] record, int messageOffset, int depthMax) {
        this.wire = new WireReader(record, messageOffset);
        this.depthMax = depthMax;
    }

    /**
     * The first fault; empty if protobuf-java takes the record.
     *
     * @param record the whole record, frame included
     * @param messageOffset where the message begins in it
     * @param depthMax levels of messages and groups inside the root that may be read
     */
    static Optional<WireFault> find(
            Descriptor message, byte[] record, int messageOffset, int depthMax) {
        return find(new Level(message), record, messageOffset, depthMax);
    }

    /**
     * The first fault of a record of whose messages some are only bytes.
     *
     * @param level of the root
     */
    static Optional<WireFault> find(Level level, byte[] record, int messageOffset, int depthMax) {
        FaultLocator locator = new FaultLocator(record, messageOffset, depthMax);
        try {
            Presence root = new Presence(messageOffset);
            locator.fields(level, root, 0, 0);
            return Optional.ofNullable(root.missingRequired(level.type()));
        } catch (Found found) {
            return Optional.of(found.fault);
        }
    }

    /** Leaves the walk, with the path and place where it stood. */
    private static final class Found extends Exception {
        private static final long serialVersionUID = 1L;

        private final transient WireFault fault;

        Found(WireFault fault) {
            super(fault.toString(), null, false, false);
            this.fault = fault;
        }
    }

    private Found found(FailureCode code, int at) {
        return new Found(new WireFault(code, reason(code), String.join(".", path), at));
    }

    private static String reason(FailureCode code) {
        switch (code) {
            case TRUNCATED:
                return "the record ends inside a field";
            case MALFORMED_VARINT:
                return "a varint has no end within 10 bytes";
            case INVALID_TAG:
                return "a tag has field number 0";
            case INVALID_WIRE_TYPE:
                return "a tag has wire type 6 or 7";
            case END_GROUP_MISMATCH:
                return "a group has no matching end";
            case INVALID_UTF8:
                return "a string is not valid UTF-8";
            default:
                return "messages and groups are nested too deeply";
        }
    }

    /**
     * Reads fields up to the end, or over the end of the group.
     *
     * @param endTag of the group; 0 in a message
     */
    private void fields(Level level, Presence presence, int depth, int endTag) throws Found {
        while (!wire.isAtEnd()) {
            int start = wire.at();
            try {
                int tag = wire.tag();
                if (tag == endTag) {
                    return;
                }
                FieldDescriptor field =
                        level.type().findFieldByNumber(WireFormat.getTagFieldNumber(tag));
                int wireType = WireFormat.getTagWireType(tag);
                if (field == null || !(isSingle(field, wireType) || isPacked(field, wireType))) {
                    wire.skip(tag, depthMax - depth);
                    continue;
                }
                path.addLast(field.isRepeated() ? field.getName() + "[]" : field.getName());
                if (isSingle(field, wireType)) {
                    single(level, field, tag, presence, depth, start);
                } else {
                    packed(field);
                }
                path.removeLast();
            } catch (WireException e) {
                throw found(e.code(), start);
            }
        }
        if (endTag != 0) {
            throw found(FailureCode.END_GROUP_MISMATCH, wire.at());
        }
    }

    private static boolean isSingle(FieldDescriptor field, int wireType) {
        return wireType == field.getLiteType().getWireType();
    }

    private static boolean isPacked(FieldDescriptor field, int wireType) {
        return field.isPackable() && wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }

    private void single(
            Level level, FieldDescriptor field, int tag, Presence presence, int depth, int start)
            throws WireException, Found {
        switch (field.getType()) {
            case MESSAGE:
            case GROUP:
                if (level.looksInto(field)) {
                    nested(level.at(field), field, tag, presence, depth, start);
                } else {
                    wire.skip(tag, 0);
                    presence.set(field);
                }
                break;
            case STRING:
                wire.string(field.needsUtf8Check());
                presence.set(field);
                break;
            case ENUM:
                int number = (int) wire.varint();
                if (!field.legacyEnumFieldTreatedAsClosed()
                        || field.getEnumType().findValueByNumber(number) != null) {
                    presence.set(field);
                }
                break;
            default:
                wire.skip(tag, 0);
                presence.set(field);
                break;
        }
    }

    private void nested(
            Level inside, FieldDescriptor field, int tag, Presence presence, int depth, int start)
            throws WireException, Found {
        boolean isGroup = field.getType() == FieldDescriptor.Type.GROUP;
        int end = isGroup ? wire.end() : wire.length() + wire.at();
        if (depth >= depthMax) {
            throw found(FailureCode.TOO_DEEP, start);
        }
        Presence inner = presence.setMessage(field, wire.at());
        int outerEnd = wire.enter(end);
        fields(inside, inner, depth + 1, isGroup ? WireReader.endOf(tag) : 0);
        wire.leave(outerEnd);
    }

    private void packed(FieldDescriptor field) throws WireException, Found {
        int elementTag = field.getNumber() << 3 | field.getLiteType().getWireType();
        int outerEnd = wire.enter(wire.length() + wire.at());
        while (!wire.isAtEnd()) {
            int start = wire.at();
            try {
                wire.skip(elementTag, 0);
            } catch (WireException e) {
                throw found(e.code(), start);
            }
        }
        wire.leave(outerEnd);
    }
}
