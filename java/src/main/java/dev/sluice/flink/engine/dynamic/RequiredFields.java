package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import dev.sluice.flink.bridge.FailureCode;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Required fields that a parsed record lacks. What counts is the record when all of it is read:
 * merged messages are one, members that a oneof cleared are gone.
 *
 * <p>protobuf-java answers the same question; this walk also knows split messages, the path to the
 * field, and that generated classes, unlike {@code DynamicMessage}, forget a map's replaced values.
 */
final class RequiredFields {
    private final boolean replacedValuesCount;

    /**
     * @param replacedValuesCount whether a map's values count that a later one of their key
     *     replaces
     */
    RequiredFields(boolean replacedValuesCount) {
        this.replacedValuesCount = replacedValuesCount;
    }

    /** Whether a message, or anything it reaches, has a required field. */
    static boolean reachableFrom(Descriptor root) {
        Set<Descriptor> seen = new HashSet<>();
        Deque<Descriptor> left = new ArrayDeque<>();
        left.add(root);
        while (!left.isEmpty()) {
            Descriptor type = left.remove();
            if (!seen.add(type)) {
                continue;
            }
            for (FieldDescriptor field : type.getFields()) {
                if (field.isRequired()) {
                    return true;
                }
                if (isMessage(field)) {
                    left.add(field.getMessageType());
                }
            }
        }
        return false;
    }

    private static boolean isMessage(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    }

    /**
     * @throws FaultException naming a required field that is absent, if there is one
     */
    void check(Message message) throws FaultException {
        for (FieldDescriptor field : message.getDescriptorForType().getFields()) {
            if (field.isRequired() && !message.hasField(field)) {
                throw absent(field);
            }
        }
        for (Map.Entry<FieldDescriptor, Object> present : message.getAllFields().entrySet()) {
            FieldDescriptor field = present.getKey();
            if (isMessage(field)) {
                checkMessages(field, present.getValue());
            }
        }
    }

    private void checkMessages(FieldDescriptor field, Object value) throws FaultException {
        try {
            if (!field.isRepeated()) {
                check((Message) value);
                return;
            }
            for (Object element : counted(field, (List<?>) value)) {
                check((Message) element);
            }
        } catch (FaultException fault) {
            throw inside(field, fault);
        }
    }

    private Collection<?> counted(FieldDescriptor field, List<?> elements) {
        if (replacedValuesCount || !field.isMapField()) {
            return elements;
        }
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        Map<Object, Object> last = new LinkedHashMap<>();
        for (Object entry : elements) {
            last.put(((Message) entry).getField(key), entry);
        }
        return last.values();
    }

    /** The same for a message that was split; bytes that are a value are not looked into. */
    void check(SplitMessage message) throws FaultException {
        Descriptor type = message.level().type();
        for (FieldDescriptor field : type.getFields()) {
            List<SplitMessage.Piece> taken = message.pieces().get(field);
            boolean isAbsent = taken == null && !field.isRepeated() && !message.has(field);
            if (isAbsent && field.isRequired()) {
                throw absent(field);
            }
            if (taken != null) {
                checkPieces(field, taken);
            } else if (!isAbsent && isMessage(field)) {
                checkMessages(field, message.rest().getField(field));
            } else if (isAbsent && isCompleted(field, message.level())) {
                checkMessages(field, DynamicMessage.getDefaultInstance(field.getMessageType()));
            }
        }
    }

    /** protobuf-java completes entries of native maps; one without its value has an empty one. */
    private static boolean isCompleted(FieldDescriptor field, Level level) {
        return isMessage(field)
                && field.getContainingType().getOptions().getMapEntry()
                && level.looksInto(field);
    }

    private Collection<SplitMessage.Piece> countedPieces(
            FieldDescriptor field, List<SplitMessage.Piece> pieces) {
        if (replacedValuesCount || !field.isMapField()) {
            return pieces;
        }
        FieldDescriptor key = field.getMessageType().findFieldByNumber(1);
        Map<Object, SplitMessage.Piece> last = new LinkedHashMap<>();
        for (SplitMessage.Piece entry : pieces) {
            last.put(entry.value(key), entry);
        }
        return last.values();
    }

    private void checkPieces(FieldDescriptor field, List<SplitMessage.Piece> pieces)
            throws FaultException {
        for (SplitMessage.Piece piece : countedPieces(field, pieces)) {
            if (piece.message() == null) {
                continue;
            }
            try {
                check(piece.message());
            } catch (FaultException fault) {
                throw inside(field, fault);
            }
        }
    }

    private static FaultException inside(FieldDescriptor field, FaultException fault) {
        return fault.inside(field.isRepeated() ? field.getName() + "[]" : field.getName());
    }

    private static FaultException absent(FieldDescriptor field) {
        String reason =
                String.format(
                        "required field %s of %s is absent",
                        field.getName(), field.getContainingType().getFullName());
        return new FaultException(FailureCode.MISSING_REQUIRED, reason).inside(field.getName());
    }
}
