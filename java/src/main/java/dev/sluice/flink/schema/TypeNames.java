package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The types that a file sees: its own, and those of its imports.
 *
 * <p>A name is looked up from the innermost scope outwards, and the first scope in which the whole
 * name is a type wins. protoc decides by the first part of the name only; where protoc finds a type
 * at all, it is the same one, and where it stops at a package or message of the same first name,
 * registries went on.
 */
final class TypeNames {
    enum Kind {
        MESSAGE,
        ENUM
    }

    private final List<Map<String, Kind>> visible = new ArrayList<>();

    void see(Map<String, Kind> types) {
        visible.add(types);
    }

    /** All types of a file by full name. */
    static Map<String, Kind> of(FileDescriptorProto file) {
        Map<String, Kind> types = new HashMap<>();
        addAll(types, file.getPackage(), file.getMessageTypeList(), file.getEnumTypeList());
        return types;
    }

    private static void addAll(
            Map<String, Kind> types,
            String scope,
            List<DescriptorProto> messages,
            List<EnumDescriptorProto> enums) {
        for (DescriptorProto message : messages) {
            String name = SchemaParser.nested(scope, message.getName());
            types.put(name, Kind.MESSAGE);
            addAll(types, name, message.getNestedTypeList(), message.getEnumTypeList());
        }
        for (EnumDescriptorProto type : enums) {
            types.put(SchemaParser.nested(scope, type.getName()), Kind.ENUM);
        }
    }

    /** The full name of the type that {@code name} means inside {@code scope}, or null. */
    String resolve(String name, String scope) {
        if (name.startsWith(".")) {
            return kind(name.substring(1)) == null ? null : name.substring(1);
        }
        String outer = scope;
        while (true) {
            String candidate = SchemaParser.nested(outer, name);
            if (kind(candidate) != null) {
                return candidate;
            }
            if (outer.isEmpty()) {
                return null;
            }
            outer = outer.substring(0, Math.max(0, outer.lastIndexOf('.')));
        }
    }

    /** What the type of this full name is, or null if there is none. */
    Kind kind(String fullName) {
        for (Map<String, Kind> types : visible) {
            Kind kind = types.get(fullName);
            if (kind != null) {
                return kind;
            }
        }
        return null;
    }
}
