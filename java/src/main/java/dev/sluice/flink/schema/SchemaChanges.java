package dev.sluice.flink.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** What a newer schema does to readers of an older one (C3). Fields are compared by number. */
public final class SchemaChanges {
    private final List<String> found = new ArrayList<>();

    private SchemaChanges() {}

    /**
     * Changes from {@code older} that are not backward compatible; empty if there are none.
     *
     * @param newer the schema that is to be written
     */
    public static List<String> incompatible(FileDescriptor older, WriterSchema newer) {
        SchemaChanges changes = new SchemaChanges();
        Map<String, Descriptor> known = new HashMap<>();
        newer.messages().forEach(message -> known.put(message.getFullName(), message));
        String now =
                known.values().stream().map(one -> one.getFile().getPackage()).findAny().orElse("");
        if (!older.getPackage().equals(now)) {
            changes.found.add(String.format("package '%s' became '%s'", older.getPackage(), now));
            return changes.found;
        }
        changes.messages(older.getMessageTypes(), known);
        return changes.found;
    }

    private void messages(List<Descriptor> older, Map<String, Descriptor> newer) {
        for (Descriptor message : older) {
            if (message.getOptions().getMapEntry()) {
                continue;
            }
            Descriptor now = newer.get(message.getFullName());
            if (now == null) {
                found.add("message " + message.getFullName() + " is gone");
                continue;
            }
            fields(message, now);
            oneofs(message, now);
            messages(message.getNestedTypes(), newer);
        }
    }

    private void fields(Descriptor older, Descriptor newer) {
        for (FieldDescriptor field : older.getFields()) {
            FieldDescriptor now = newer.findFieldByNumber(field.getNumber());
            if (now == null) {
                if (field.isRequired()) {
                    found.add("required " + field.getFullName() + " is gone");
                }
            } else {
                field(field, now);
            }
        }
        for (FieldDescriptor field : newer.getFields()) {
            if (field.isRequired() && older.findFieldByNumber(field.getNumber()) == null) {
                found.add("required " + field.getFullName() + " is new");
            }
        }
    }

    private void field(FieldDescriptor older, FieldDescriptor newer) {
        String was = group(older);
        String is = group(newer);
        if (!was.equals(is)) {
            found.add(String.format("%s was %s and is %s", older.getFullName(), was, is));
            return;
        }
        boolean isNumber = !was.equals("text") && !was.startsWith("message") && !was.equals("map");
        if (isNumber && older.isRepeated() != newer.isRepeated()) {
            found.add(older.getFullName() + " is repeated on one side only");
        }
    }

    /** Kinds in one group can be read as each other. */
    private static String group(FieldDescriptor field) {
        if (field.isMapField()) {
            return "map";
        }
        switch (field.getType()) {
            case INT32:
            case INT64:
            case UINT32:
            case UINT64:
            case BOOL:
            case ENUM:
                return "integer";
            case SINT32:
            case SINT64:
                return "zigzag integer";
            case STRING:
            case BYTES:
                return "text";
            case FIXED32:
            case SFIXED32:
                return "fixed 32 bits";
            case FIXED64:
            case SFIXED64:
                return "fixed 64 bits";
            case MESSAGE:
            case GROUP:
                return "message " + field.getMessageType().getFullName();
            default:
                return field.getType().name();
        }
    }

    private void oneofs(Descriptor older, Descriptor newer) {
        Map<String, OneofDescriptor> known = new HashMap<>();
        newer.getRealOneofs().forEach(oneof -> known.put(oneof.getName(), oneof));
        for (OneofDescriptor oneof : older.getRealOneofs()) {
            OneofDescriptor now = known.get(oneof.getName());
            if (now == null) {
                continue;
            }
            for (FieldDescriptor member : oneof.getFields()) {
                if (newer.findFieldByNumber(member.getNumber()) == null) {
                    found.add(member.getFullName() + " is gone from oneof " + oneof.getName());
                }
            }
        }
        for (OneofDescriptor oneof : newer.getRealOneofs()) {
            long independent =
                    oneof.getFields().stream()
                            .map(member -> older.findFieldByNumber(member.getNumber()))
                            .filter(Objects::nonNull)
                            .filter(was -> was.getRealContainingOneof() == null)
                            .count();
            if (independent > 1) {
                found.add("independent fields are now members of oneof " + oneof.getName());
            }
        }
    }
}
