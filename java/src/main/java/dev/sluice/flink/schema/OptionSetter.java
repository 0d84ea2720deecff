package dev.sluice.flink.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import java.util.List;

/**
 * Puts options as written into the options messages of a descriptor.
 *
 * <p>Kept are the fields that protobuf-java's descriptor.proto knows, {@code features.(pb.java)}
 * and the {@code confluent.*} extensions, whether or not the text imports them (H19). Any other
 * option says nothing about bytes or rows and is skipped, and so is one whose value does not fit,
 * unless it decides how records are read ({@link #decides}): there a guess would be a wrong row. An
 * option that is set again overwrites; repeated ones and messages grow.
 */
final class OptionSetter {
    private OptionSetter() {}

    /** Sets one option; {@code tokens} only makes the error. */
    static void set(Message.Builder options, Option option, Tokens tokens) throws SchemaException {
        if (!set(options, option.name, 0, option.value) && decides(option)) {
            throw tokens.error(option.at, "option " + option + " does not exist or fit its value");
        }
    }

    /** Whether the layout of records hangs on this option. */
    private static boolean decides(Option option) {
        if (option.name.get(0).extension) {
            return false;
        }
        switch (option.name.get(0).name) {
            case "features":
                return option.name.size() < 2 || !option.name.get(1).extension;
            case "packed":
            case "map_entry":
            case "message_set_wire_format":
                return true;
            default:
                return false;
        }
    }

    private static boolean set(
            Message.Builder target, List<Option.Part> path, int step, OptionValue value) {
        Option.Part part = path.get(step);
        FieldDescriptor field = find(target.getDescriptorForType(), part.name, part.extension);
        if (field == null) {
            return false;
        }
        if (step + 1 == path.size()) {
            return assign(target, field, value);
        }
        if (field.isRepeated() || field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
            return false;
        }
        Message.Builder inner = builder(target, field);
        if (!set(inner, path, step + 1, value)) {
            return false;
        }
        target.setField(field, inner.buildPartial());
        return true;
    }

    private static FieldDescriptor find(Descriptor type, String name, boolean extension) {
        if (!extension) {
            // Not for texts: its content is what could not be interpreted.
            return name.equals("uninterpreted_option") ? null : type.findFieldByName(name);
        }
        String fullName = name.startsWith(".") ? name.substring(1) : name;
        String ownPrefix = type.getFullName() + ".";
        return fullName.startsWith(ownPrefix) // as protoc, which takes any field by full name
                ? type.findFieldByName(fullName.substring(ownPrefix.length()))
                : KnownExtensions.find(type, fullName);
    }

    private static Message.Builder builder(Message.Builder target, FieldDescriptor field) {
        if (!field.isRepeated() && target.hasField(field)) {
            return ((Message) target.getField(field)).toBuilder();
        }
        return field.isExtension()
                ? KnownExtensions.builder(field)
                : target.newBuilderForField(field);
    }

    private static boolean assign(
            Message.Builder target, FieldDescriptor field, OptionValue value) {
        if (value.kind == OptionValue.Kind.LIST) {
            boolean fits = field.isRepeated();
            for (OptionValue element : value.elements) {
                fits = fits && assign(target, field, element);
            }
            return fits;
        }
        Object converted =
                field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                        ? message(builder(target, field), value)
                        : scalar(field, value);
        if (converted == null) {
            return false;
        }
        if (field.isRepeated()) {
            target.addRepeatedField(field, converted);
        } else {
            target.setField(field, converted);
        }
        return true;
    }

    /** The message, or null if a value in it does not fit. Unknown members are skipped. */
    private static Message message(Message.Builder builder, OptionValue value) {
        if (value.kind != OptionValue.Kind.MESSAGE) {
            return null;
        }
        for (OptionValue.Member member : value.members) {
            FieldDescriptor field =
                    find(builder.getDescriptorForType(), member.name, member.extension);
            if (field != null && !assign(builder, field, member.value)) {
                return null;
            }
        }
        return builder.buildPartial();
    }

    /** The value as protobuf-java holds it, or null if it does not fit. */
    private static Object scalar(FieldDescriptor field, OptionValue value) {
        if (value.kind == OptionValue.Kind.MESSAGE) {
            return null;
        }
        switch (field.getJavaType()) {
            case STRING:
                return value.asText(); // a parameter may be written as a bare number
            case BYTE_STRING:
                return value.bytes;
            case BOOLEAN:
                return truth(value.asText());
            case ENUM:
                return enumValue(field, value);
            case INT:
                return isUnsigned(field)
                        ? unsigned(value, 0xffffffffL, true)
                        : signed(value, Integer.MIN_VALUE, Integer.MAX_VALUE, true);
            case LONG:
                return isUnsigned(field)
                        ? unsigned(value, -1L, false)
                        : signed(value, Long.MIN_VALUE, Long.MAX_VALUE, false);
            case DOUBLE:
                return value.asDouble();
            case FLOAT:
                Double wide = value.asDouble();
                return wide == null ? null : (Object) wide.floatValue();
            default:
                return null;
        }
    }

    private static Boolean truth(String text) {
        switch (text) {
            case "true":
            case "True":
            case "t":
            case "1":
                return Boolean.TRUE;
            case "false":
            case "False":
            case "f":
            case "0":
                return Boolean.FALSE;
            default:
                return null;
        }
    }

    private static EnumValueDescriptor enumValue(FieldDescriptor field, OptionValue value) {
        if (value.kind == OptionValue.Kind.NUMBER) {
            return value.number.fits(Integer.MIN_VALUE, Integer.MAX_VALUE)
                    ? field.getEnumType().findValueByNumber((int) value.number.value())
                    : null;
        }
        return field.getEnumType().findValueByName(value.asText());
    }

    private static boolean isUnsigned(FieldDescriptor field) {
        switch (field.getType()) {
            case UINT32:
            case FIXED32:
            case UINT64:
            case FIXED64:
                return true;
            default:
                return false;
        }
    }

    private static Object signed(OptionValue value, long least, long most, boolean narrow) {
        if (value.number == null || !value.number.fits(least, most)) {
            return null;
        }
        return narrow ? (Object) (int) value.number.value() : (Object) value.number.value();
    }

    private static Object unsigned(OptionValue value, long most, boolean narrow) {
        if (value.number == null || !value.number.fitsUnsigned(most)) {
            return null;
        }
        return narrow ? (Object) (int) value.number.value() : (Object) value.number.value();
    }
}
