package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.bridge.FailureCode;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which required fields a message has, and the messages inside it: what is left when messages that
 * came in several parts are merged and members of oneofs have replaced each other.
 */
final class Presence {
    private final int start; // of the message, or of its first part
    private final Set<FieldDescriptor> required = new HashSet<>();
    private final Map<FieldDescriptor, List<Presence>> inner = new LinkedHashMap<>();

    Presence(int start) {
        this.start = start;
    }

    /** The field, which is no message, has a value. */
    void set(FieldDescriptor field) {
        if (field.isRequired()) {
            required.add(field);
        }
        clearSiblings(field);
    }

    /**
     * The field, which is a message, has a value or one more part of it.
     *
     * @param at where its bytes begin
     */
    Presence setMessage(FieldDescriptor field, int at) {
        set(field);
        List<Presence> values = inner.computeIfAbsent(field, key -> new ArrayList<>());
        if (values.isEmpty() || field.isRepeated()) {
            values.add(new Presence(at));
        }
        return values.get(values.size() - 1);
    }

    private void clearSiblings(FieldDescriptor field) {
        if (field.getContainingOneof() != null) {
            inner.keySet()
                    .removeIf(
                            other ->
                                    other != field
                                            && other.getContainingOneof()
                                                    == field.getContainingOneof());
        }
    }

    /**
     * Whether the field is required and absent. So is the value of a map's entry if it is a message
     * with required fields: protobuf-java completes the entry and asks for them (decision 0006).
     */
    private boolean isMissing(FieldDescriptor field) {
        boolean isCompleted =
                field.getContainingType().getOptions().getMapEntry()
                        && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
        if (isCompleted) {
            return !inner.containsKey(field)
                    && field.getMessageType().getFields().stream()
                            .anyMatch(FieldDescriptor::isRequired);
        }
        return field.isRequired() && !required.contains(field);
    }

    /** The first required field that is absent, here or in a message inside; null if none is. */
    WireFault missingRequired(Descriptor message) {
        return missingRequired(message, "");
    }

    private WireFault missingRequired(Descriptor message, String prefix) {
        for (FieldDescriptor field : message.getFields()) {
            if (isMissing(field)) {
                String reason =
                        "required field "
                                + field.getName()
                                + " of "
                                + message.getFullName()
                                + " is absent";
                return new WireFault(
                        FailureCode.MISSING_REQUIRED, reason, prefix + field.getName(), start);
            }
        }
        for (Map.Entry<FieldDescriptor, List<Presence>> field : inner.entrySet()) {
            FieldDescriptor outer = field.getKey();
            String path = prefix + outer.getName() + (outer.isRepeated() ? "[]." : ".");
            for (Presence element : field.getValue()) {
                WireFault fault = element.missingRequired(outer.getMessageType(), path);
                if (fault != null) {
                    return fault;
                }
            }
        }
        return null;
    }
}
