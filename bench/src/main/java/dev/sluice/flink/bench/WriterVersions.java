package dev.sluice.flink.bench;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;

import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.IntPredicate;

/**
 * Writer schemas over time, as texts for a registry and as descriptors: each has some fields of the
 * newest one, and one field that no other schema has, without which registries and caches would
 * take equal ones for the same.
 */
final class WriterVersions {
    /** Number of the field that no other schema has. */
    static final int OWN_FIELD = 1000;

    private WriterVersions() {}

    /** Whether version 1, 2 or 3 of {@code Account} has a field. */
    static IntPredicate fields(int version) {
        switch (version) {
            case 1:
                return number -> number <= 8;
            case 2:
                return number -> number <= 12;
            default:
                return number -> number != 3;
        }
    }

    /**
     * @param newest of scalars only
     * @param id by which the registry knows the schema
     */
    static Descriptor descriptor(Descriptor newest, IntPredicate hasField, int id)
            throws DescriptorValidationException {
        DescriptorProto.Builder message = newest.toProto().toBuilder().clearField();
        newest.toProto().getFieldList().stream()
                .filter(field -> hasField.test(field.getNumber()))
                .forEach(message::addField);
        message.addField(
                FieldDescriptorProto.newBuilder()
                        .setName("only_in_" + id)
                        .setNumber(OWN_FIELD)
                        .setLabel(FieldDescriptorProto.Label.LABEL_OPTIONAL)
                        .setType(FieldDescriptorProto.Type.TYPE_INT32));
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder()
                        .setName("schema" + id + ".proto")
                        .setPackage(newest.getFile().getPackage())
                        .addMessageType(message)
                        .build();
        return FileDescriptor.buildFrom(file, new FileDescriptor[0]).getMessageTypes().get(0);
    }

    /** The text of such a descriptor. */
    static String text(Descriptor message) {
        StringJoiner text = new StringJoiner("\n", "", "\n");
        text.add("syntax = \"proto2\";");
        text.add("package " + message.getFile().getPackage() + ";");
        text.add("message " + message.getName() + " {");
        for (FieldDescriptorProto field : message.toProto().getFieldList()) {
            String type = field.getType().name().substring("TYPE_".length());
            text.add(
                    String.format(
                            "  optional %s %s = %d;",
                            type.toLowerCase(Locale.ROOT), field.getName(), field.getNumber()));
        }
        return text.add("}").toString();
    }
}
