package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import dev.sluice.flink.schema.SchemaException.Kind;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A parsed file made ready for protobuf-java:
 *
 * <ul>
 *   <li>type names become absolute, and message and enum types are told apart;
 *   <li>extensions and services go: records are read without them, and registries hold some whose
 *       types or options are nowhere;
 *   <li>map entries and groups move behind the written messages of their level, so that the place
 *       of a message is its message index (W8, W11);
 *   <li>a field whose type hangs on a missing weak import becomes {@code bytes}: present or not,
 *       but never read as something that it may not be.
 * </ul>
 */
final class LinkableFile {
    private static final int FIELD_NUMBER_MAX = (1 << 29) - 1;

    /** Names stand in every name below them, so long ones would multiply. */
    private static final int NAME_MAX = 1000;

    private static final int PACKAGE_PARTS_MAX = 100;

    private final ParsedSchema schema;
    private final TypeNames names;
    private final boolean weakMissing;
    private final Set<String> missing;

    /**
     * @param weakMissing whether a weak import of this file is missing
     * @param missing the other imports that nobody has, here and further down
     */
    LinkableFile(ParsedSchema schema, TypeNames names, boolean weakMissing, Set<String> missing) {
        this.schema = schema;
        this.names = names;
        this.weakMissing = weakMissing;
        this.missing = missing;
    }

    FileDescriptorProto prepare(String path) throws SchemaException {
        FileDescriptorProto.Builder file = schema.file.toBuilder().setName(path);
        file.clearExtension().clearService().clearSourceCodeInfo().clearOptionDependency();
        if (file.getPackage().length() > NAME_MAX
                || file.getPackage().split("\\.").length > PACKAGE_PARTS_MAX) {
            throw new SchemaException(Kind.LINK, "a package name of too many parts or characters");
        }
        List<DescriptorProto> messages = prepare(file.getMessageTypeList(), file.getPackage(), "");
        return file.clearMessageType().addAllMessageType(messages).build();
    }

    /** The messages of one level, the written ones first. */
    private List<DescriptorProto> prepare(List<DescriptorProto> messages, String scope, String path)
            throws SchemaException {
        List<DescriptorProto> written = new ArrayList<>(messages.size());
        List<DescriptorProto> others = new ArrayList<>();
        for (DescriptorProto message : messages) {
            String messagePath = SchemaParser.nested(path, message.getName());
            boolean isWritten = !schema.unwritten.contains(messagePath);
            (isWritten ? written : others)
                    .add(
                            prepare(
                                    message,
                                    SchemaParser.nested(scope, message.getName()),
                                    messagePath));
        }
        written.addAll(others);
        return written;
    }

    private DescriptorProto prepare(DescriptorProto message, String fullName, String path)
            throws SchemaException {
        if (fullName.length() > NAME_MAX) {
            String shown = fullName.substring(0, 100) + "...";
            throw new SchemaException(Kind.LINK, "a name of too many characters: " + shown);
        }
        List<DescriptorProto> nested = prepare(message.getNestedTypeList(), fullName, path);
        DescriptorProto.Builder result =
                message.toBuilder().clearExtension().clearNestedType().addAllNestedType(nested);
        for (FieldDescriptorProto.Builder field : result.getFieldBuilderList()) {
            if (field.getNumber() > FIELD_NUMBER_MAX) {
                throw new SchemaException(
                        Kind.LINK,
                        fullName + "." + field.getName() + ": field number out of range");
            }
            resolveType(field, fullName);
        }
        return result.build();
    }

    private void resolveType(FieldDescriptorProto.Builder field, String scope)
            throws SchemaException {
        boolean named = !field.hasType() || isNamed(field.getType());
        if (!named) {
            field.clearTypeName();
            return;
        }
        String fullName = names.resolve(field.getTypeName(), scope);
        if (fullName == null) {
            if (!weakMissing) {
                throw unknownType(field, scope);
            }
            field.setType(Type.TYPE_BYTES).clearTypeName().clearDefaultValue();
            return;
        }
        field.setTypeName("." + fullName);
        if (names.kind(fullName) == TypeNames.Kind.ENUM) {
            field.setType(Type.TYPE_ENUM);
        } else if (field.getType() != Type.TYPE_GROUP) {
            field.setType(Type.TYPE_MESSAGE);
        }
    }

    private static boolean isNamed(Type type) {
        return type == Type.TYPE_MESSAGE || type == Type.TYPE_ENUM || type == Type.TYPE_GROUP;
    }

    private SchemaException unknownType(FieldDescriptorProto.Builder field, String scope) {
        String reason =
                scope + "." + field.getName() + " has an unknown type " + field.getTypeName();
        return missing.isEmpty()
                ? new SchemaException(Kind.LINK, reason)
                : new SchemaException(
                        Kind.MISSING_IMPORT,
                        reason + "; missing imports: " + String.join(", ", missing));
    }
}
