package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.InvalidProtocolBufferException;

import java.util.Base64;

/**
 * Serialized {@code FileDescriptorProto}s, as registries give them under {@code format=serialized}
 * (H10) or store them instead of a text (H12). Confluent's leave labels and types out and write
 * type names as in the text; the linker fills those in.
 */
final class SerializedDescriptor {
    private SerializedDescriptor() {}

    /** The descriptor, or null if the text is not base64 of one. */
    static FileDescriptorProto fromBase64(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(withoutBlanks(text));
        } catch (IllegalArgumentException notBase64) {
            return null;
        }
        try {
            FileDescriptorProto file = read(bytes);
            return bytes.length == 0 || isSchema(file) ? file : null;
        } catch (InvalidProtocolBufferException notADescriptor) {
            return null;
        }
    }

    private static String withoutBlanks(String text) {
        StringBuilder dense = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) > ' ') {
                dense.append(text.charAt(i));
            }
        }
        return dense.toString();
    }

    /** Random bytes can parse as a descriptor of unknown fields only. */
    private static boolean isSchema(FileDescriptorProto file) {
        return file.hasName()
                || file.hasPackage()
                || file.getDependencyCount() + file.getMessageTypeCount() + file.getEnumTypeCount()
                        > 0;
    }

    static FileDescriptorProto read(byte[] bytes) throws InvalidProtocolBufferException {
        FileDescriptorProto.Builder file =
                FileDescriptorProto.parseFrom(bytes, KnownExtensions.registry()).toBuilder();
        boolean proto3 = file.getSyntax().equals("proto3");
        for (DescriptorProto.Builder message : file.getMessageTypeBuilderList()) {
            complete(message, proto3);
        }
        return file.build();
    }

    private static void complete(DescriptorProto.Builder message, boolean proto3) {
        for (FieldDescriptorProto.Builder field : message.getFieldBuilderList()) {
            // Some writers mark NOT NULL so; the text that is made of it does not say it.
            boolean required = proto3 && field.getLabel() == Label.LABEL_REQUIRED;
            if (required || !field.hasLabel()) {
                field.setLabel(Label.LABEL_OPTIONAL);
            }
        }
        MessageParser.addSyntheticOneofs(message);
        for (DescriptorProto.Builder nested : message.getNestedTypeBuilderList()) {
            complete(nested, proto3);
        }
    }
}
