package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import java.util.HashMap;
import java.util.Map;

/**
 * What columns may stand for, by name (D14): the field of exactly the column's name, else the oneof
 * of that name, else the field or oneof of its camelCase form. FLINK knows exact names of fields
 * only. A JSON name makes no column name.
 */
final class ColumnNames {
    private final Map<String, GenericDescriptor> byName = new HashMap<>();
    private final boolean exact;

    private ColumnNames(boolean exact) {
        this.exact = exact;
    }

    /** Fields of a message, and its oneofs unless the message is one SQL value. */
    static ColumnNames ofMessage(Descriptor message, boolean exact, boolean withOneofs) {
        ColumnNames names = new ColumnNames(exact);
        if (withOneofs) {
            message.getRealOneofs().forEach(oneof -> names.byName.put(oneof.getName(), oneof));
        }
        message.getFields().forEach(field -> names.byName.put(field.getName(), field));
        return names;
    }

    /** Members of a oneof. */
    static ColumnNames ofMembers(OneofDescriptor oneof) {
        ColumnNames names = new ColumnNames(false);
        oneof.getFields().forEach(field -> names.byName.put(field.getName(), field));
        return names;
    }

    /** A {@link FieldDescriptor}, a {@link OneofDescriptor}, or null where there is none. */
    GenericDescriptor find(String column) {
        GenericDescriptor found = byName.get(column);
        return found != null || exact ? found : byName.get(camelCase(column));
    }

    /** {@code order_line_no} as {@code orderLineNo}; other characters stay as they are. */
    static String camelCase(String name) {
        StringBuilder out = new StringBuilder(name.length());
        boolean raise = false;
        for (int at = 0; at < name.length(); at++) {
            char letter = name.charAt(at);
            if (letter == '_') {
                raise = true;
                continue;
            }
            out.append(raise && out.length() > 0 ? Character.toUpperCase(letter) : letter);
            raise = false;
        }
        return out.toString();
    }
}
