package dev.sluice.flink.schema;

import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Options as texts, {@code name = value}, by name (P7, P11). */
final class PrintedOptions {
    private PrintedOptions() {}

    /** Those of a file, message, enum or value. */
    static List<String> of(Message options, TextLines lines) {
        Map<String, String> found = new TreeMap<>();
        for (Map.Entry<FieldDescriptor, Object> option : options.getAllFields().entrySet()) {
            FieldDescriptor field = option.getKey();
            boolean isMapEntry =
                    field.getFullName().equals("google.protobuf.MessageOptions.map_entry");
            if (field.isExtension() || field.isRepeated() || isMapEntry) {
                continue;
            }
            if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
                members(field.getName(), (Message) option.getValue(), found);
            } else {
                String text = field.getName() + " = " + value(field, option.getValue());
                found.put(field.getName(), text);
            }
        }
        List<String> texts = new ArrayList<>(found.values());
        String meta = meta(options, lines);
        if (meta != null) {
            texts.add(meta);
        }
        return texts;
    }

    /** Those of a field; its default and its own JSON name are no options but stand among them. */
    static List<String> ofField(FieldDescriptor field, TextLines lines) {
        List<String> texts = of(field.toProto().getOptions(), lines);
        if (field.toProto().hasDefaultValue()) {
            Object value = field.getDefaultValue();
            texts.add("default = " + value(field, value));
        }
        return texts;
    }

    /** Features, one by one. */
    private static void members(String name, Message value, Map<String, String> found) {
        value.getAllFields()
                .forEach(
                        (field, member) -> {
                            if (!field.isExtension() && !field.isRepeated()) {
                                String full = name + "." + field.getName();
                                found.put(full, full + " = " + value(field, member));
                            }
                        });
    }

    private static String value(FieldDescriptor field, Object value) {
        switch (field.getJavaType()) {
            case STRING:
                return TextLines.quoted((String) value);
            case ENUM:
                return ((EnumValueDescriptor) value).getName();
            case BYTE_STRING:
                return '"' + TextFormat.escapeBytes((com.google.protobuf.ByteString) value) + '"';
            case FLOAT:
            case DOUBLE:
                return number(((Number) value).doubleValue(), value);
            case INT:
            case LONG:
                return unsignedOrSigned(field, value);
            default:
                return String.valueOf(value);
        }
    }

    private static String unsignedOrSigned(FieldDescriptor field, Object value) {
        switch (field.getType()) {
            case UINT32:
            case FIXED32:
                return Integer.toUnsignedString((Integer) value);
            case UINT64:
            case FIXED64:
                return Long.toUnsignedString((Long) value);
            default:
                return String.valueOf(value);
        }
    }

    private static String number(double wide, Object value) {
        if (Double.isNaN(wide)) {
            return "nan";
        }
        if (Double.isInfinite(wide)) {
            return wide > 0 ? "inf" : "-inf";
        }
        return String.valueOf(value);
    }

    /** Confluent's doc, tags and params. */
    private static String meta(Message options, TextLines lines) {
        Message meta = KnownExtensions.meta(options);
        if (meta == null) {
            return null;
        }
        FieldDescriptor extension = KnownExtensions.metaField(options);
        Map<String, String> members = new TreeMap<>();
        FieldDescriptor doc = meta.getDescriptorForType().findFieldByName("doc");
        if (meta.hasField(doc) || !meta.getField(doc).equals("")) {
            members.put("doc", TextLines.quoted((String) meta.getField(doc)));
        }
        Map<String, String> parameters = new LinkedHashMap<>();
        FieldDescriptor params = meta.getDescriptorForType().findFieldByName("params");
        for (int i = 0; i < meta.getRepeatedFieldCount(params); i++) {
            Message entry = (Message) meta.getRepeatedField(params, i);
            parameters.put(member(entry, "key"), member(entry, "value"));
        }
        if (!parameters.isEmpty()) {
            members.put("params", TextLines.parameters(parameters, lines.level() + 1));
        }
        FieldDescriptor tags = meta.getDescriptorForType().findFieldByName("tags");
        List<String> tagTexts = new ArrayList<>();
        for (int i = 0; tags != null && i < meta.getRepeatedFieldCount(tags); i++) {
            tagTexts.add(TextLines.quoted((String) meta.getRepeatedField(tags, i)));
        }
        if (!tagTexts.isEmpty()) {
            members.put(
                    "tags",
                    tagTexts.size() == 1
                            ? tagTexts.get(0)
                            : "[" + String.join(", ", tagTexts) + "]");
        }
        return members.isEmpty()
                ? null
                : lines.aggregate("(" + extension.getFullName() + ")", members);
    }

    private static String member(Message entry, String name) {
        return (String) entry.getField(entry.getDescriptorForType().findFieldByName(name));
    }
}
