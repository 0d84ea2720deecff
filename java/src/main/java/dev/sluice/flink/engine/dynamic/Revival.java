package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * FLINK: where a generated class and {@code DynamicMessage} read different things. The builder of a
 * generated class keeps a message member that another member of its oneof replaces, and goes on
 * with it when the member comes again; {@code DynamicMessage} begins anew. Messages that hold such
 * members are split.
 */
final class Revival {
    private final Map<Descriptor, Boolean> reaching = new HashMap<>();

    /** Whether what is left to protobuf-java would lose a field's messages, or something inside. */
    boolean concerns(FieldDescriptor field) {
        return isMessage(field) && (revives(field) || isReachedFrom(field.getMessageType()));
    }

    private static boolean isMessage(FieldDescriptor field) {
        return field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
    }

    private static boolean revives(FieldDescriptor field) {
        OneofDescriptor oneof = field.getRealContainingOneof();
        return oneof != null && oneof.getFieldCount() > 1;
    }

    private boolean isReachedFrom(Descriptor root) {
        return reaching.computeIfAbsent(root, Revival::reaches);
    }

    private static boolean reaches(Descriptor root) {
        Set<Descriptor> seen = new HashSet<>();
        Deque<Descriptor> left = new ArrayDeque<>();
        left.add(root);
        while (!left.isEmpty()) {
            Descriptor type = left.remove();
            if (!seen.add(type)) {
                continue;
            }
            for (FieldDescriptor field : type.getFields()) {
                if (isMessage(field)) {
                    if (revives(field)) {
                        return true;
                    }
                    left.add(field.getMessageType());
                }
            }
        }
        return false;
    }
}
