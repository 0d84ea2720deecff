package dev.sluice.flink.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import dev.sluice.flink.plan.DefaultValue;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.ResolvedEnum;
import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A linked message, and every message and enum that it reaches, as the facts that engines read.
 * Messages come in the order in which they are first met, the root first; each comes once, so
 * recursion is no trouble. All rules are protobuf-java's answers; none is derived from syntax here.
 */
final class MessageResolver {
    private static final int VERSION = 1;

    private final List<Descriptor> messages = new ArrayList<>();
    private final Map<Descriptor, Integer> messageIndexes = new HashMap<>();
    private final Map<EnumDescriptor, Integer> enumIndexes = new HashMap<>();
    private final ResolvedSchema.Builder schema = ResolvedSchema.newBuilder().setVersion(VERSION);

    private MessageResolver() {}

    static ResolvedSchema resolve(Descriptor root) {
        MessageResolver resolver = new MessageResolver();
        resolver.messageIndex(root);
        // Resolving a message may append others.
        for (int i = 0; i < resolver.messages.size(); i++) {
            resolver.schema.addMessages(resolver.message(resolver.messages.get(i)));
        }
        return resolver.schema.build();
    }

    private int messageIndex(Descriptor message) {
        Integer known = messageIndexes.putIfAbsent(message, messages.size());
        if (known != null) {
            return known;
        }
        messages.add(message);
        return messages.size() - 1;
    }

    private int enumIndex(EnumDescriptor type) {
        Integer known = enumIndexes.putIfAbsent(type, schema.getEnumsCount());
        if (known != null) {
            return known;
        }
        ResolvedEnum.Builder resolved = ResolvedEnum.newBuilder().setFullName(type.getFullName());
        for (EnumValueDescriptor value : type.getValues()) {
            resolved.addValuesBuilder().setName(value.getName()).setNumber(value.getNumber());
        }
        schema.addEnums(resolved);
        return schema.getEnumsCount() - 1;
    }

    private ResolvedMessage message(Descriptor message) {
        ResolvedMessage.Builder resolved =
                ResolvedMessage.newBuilder()
                        .setFullName(message.getFullName())
                        .setMapEntry(message.getOptions().getMapEntry());
        for (OneofDescriptor oneof : message.getRealOneofs()) {
            resolved.addOneofs(oneof.getName());
        }
        for (FieldDescriptor field : message.getFields()) {
            resolved.addFields(field(field));
        }
        return resolved.build();
    }

    private ResolvedField field(FieldDescriptor field) {
        ResolvedField.Builder resolved =
                ResolvedField.newBuilder()
                        .setName(field.getName())
                        .setNumber(field.getNumber())
                        .setKind(FieldKind.forNumber(field.getType().toProto().getNumber()))
                        .setRepeated(field.isRepeated())
                        .setHasPresence(field.hasPresence())
                        .setRequired(field.isRequired())
                        .setPacked(field.isPacked())
                        .setStrictUtf8(field.needsUtf8Check());
        OneofDescriptor oneof = field.getRealContainingOneof();
        if (oneof != null) {
            resolved.setOneofIndex(oneof.getIndex()); // real ones come first
        }
        switch (field.getJavaType()) {
            case MESSAGE:
                resolved.setMessageIndex(messageIndex(field.getMessageType()));
                break;
            case ENUM:
                resolved.setEnumIndex(enumIndex(field.getEnumType()));
                resolved.setClosedEnum(field.legacyEnumFieldTreatedAsClosed());
                break;
            default:
                break;
        }
        if (field.hasDefaultValue()) {
            resolved.setDefaultValue(defaultValue(field));
        }
        resolved.putAllParameters(FieldParameters.of(field));
        return resolved.build();
    }

    private static DefaultValue defaultValue(FieldDescriptor field) {
        DefaultValue.Builder result = DefaultValue.newBuilder();
        Object value = field.getDefaultValue();
        switch (field.getJavaType()) {
            case BOOLEAN:
                return result.setInteger((Boolean) value ? 1 : 0).build();
            case INT:
            case LONG:
                return result.setInteger(integer(field, (Number) value)).build();
            case ENUM:
                return result.setInteger(((EnumValueDescriptor) value).getNumber()).build();
            case FLOAT:
                return result.setFloat32((Float) value).build();
            case DOUBLE:
                return result.setFloat64((Double) value).build();
            case BYTE_STRING:
                return result.setOctets((ByteString) value).build();
            default:
                return result.setText((String) value).build();
        }
    }

    /** Sign-extended, but an unsigned 32-bit default is its value, as a reader widens it. */
    private static long integer(FieldDescriptor field, Number value) {
        switch (field.getType()) {
            case UINT32:
            case FIXED32:
                return Integer.toUnsignedLong(value.intValue());
            default:
                return value.longValue();
        }
    }
}
