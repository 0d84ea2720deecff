package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MethodDescriptorProto;
import com.google.protobuf.DescriptorProtos.ServiceDescriptorProto;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.UnknownFieldSet;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Brings our descriptor and protoc's to one form: type names absolute, no json_name where it says
 * nothing, only the options that we keep, map entries of options in key order.
 */
final class DescriptorComparison {
    private final TypeNames names = new TypeNames();

    /**
     * @param files protoc's descriptors of the imports, by path
     */
    DescriptorComparison(FileDescriptorProto ours, Map<String, FileDescriptorProto> files) {
        names.see(TypeNames.of(ours));
        for (String dependency : ours.getDependencyList()) {
            see(files.get(dependency), files);
        }
    }

    private void see(FileDescriptorProto file, Map<String, FileDescriptorProto> files) {
        names.see(TypeNames.of(file));
        for (int index : file.getPublicDependencyList()) {
            see(files.get(file.getDependency(index)), files);
        }
    }

    FileDescriptorProto normal(FileDescriptorProto file) {
        FileDescriptorProto.Builder result = ((FileDescriptorProto) known(file)).toBuilder();
        String scope = file.getPackage();
        for (DescriptorProto.Builder message : result.getMessageTypeBuilderList()) {
            normal(message, SchemaParser.nested(scope, message.getName()));
        }
        for (FieldDescriptorProto.Builder extension : result.getExtensionBuilderList()) {
            normal(extension, scope);
        }
        for (ServiceDescriptorProto.Builder service : result.getServiceBuilderList()) {
            for (MethodDescriptorProto.Builder method : service.getMethodBuilderList()) {
                String inner = SchemaParser.nested(scope, service.getName());
                method.setInputType(absolute(method.getInputType(), inner));
                method.setOutputType(absolute(method.getOutputType(), inner));
            }
        }
        return result.build();
    }

    private void normal(DescriptorProto.Builder message, String fullName) {
        for (FieldDescriptorProto.Builder field : message.getFieldBuilderList()) {
            normal(field, fullName);
        }
        for (FieldDescriptorProto.Builder extension : message.getExtensionBuilderList()) {
            normal(extension, fullName);
        }
        for (DescriptorProto.Builder nested : message.getNestedTypeBuilderList()) {
            normal(nested, fullName + "." + nested.getName());
        }
    }

    private void normal(FieldDescriptorProto.Builder field, String scope) {
        if (field.hasTypeName()) {
            field.setTypeName(absolute(field.getTypeName(), scope));
            if (!field.hasType()) {
                boolean message =
                        names.kind(field.getTypeName().substring(1)) == TypeNames.Kind.MESSAGE;
                field.setType(
                        message
                                ? FieldDescriptorProto.Type.TYPE_MESSAGE
                                : FieldDescriptorProto.Type.TYPE_ENUM);
            }
        }
        if (field.hasExtendee()) {
            field.setExtendee(absolute(field.getExtendee(), scope));
        }
        if (field.getJsonName().equals(jsonName(field.getName()))) {
            field.clearJsonName();
        }
    }

    private String absolute(String name, String scope) {
        String found = names.resolve(name, scope);
        return found == null ? "unresolved " + name : "." + found;
    }

    private static String jsonName(String name) {
        StringBuilder json = new StringBuilder();
        boolean upper = false;
        for (char c : name.toCharArray()) {
            if (c != '_') {
                json.append(upper ? Character.toUpperCase(c) : c);
            }
            upper = c == '_';
        }
        return json.toString();
    }

    /** The message without unknown fields, and without options messages that are empty then. */
    private static Message known(Message message) {
        Message.Builder result = message.toBuilder();
        result.setUnknownFields(UnknownFieldSet.getDefaultInstance());
        for (Map.Entry<FieldDescriptor, Object> entry : message.getAllFields().entrySet()) {
            FieldDescriptor field = entry.getKey();
            if (field.getJavaType() != FieldDescriptor.JavaType.MESSAGE) {
                continue;
            }
            if (field.isRepeated()) {
                List<Message> elements = new ArrayList<>();
                for (Object element : (List<?>) entry.getValue()) {
                    elements.add(known((Message) element));
                }
                if (field.isMapField()) {
                    elements.sort(Comparator.comparing(Message::toString));
                }
                result.setField(field, elements);
            } else {
                Message inner = known((Message) entry.getValue());
                boolean options = field.getName().matches(".*options|features|feature_support");
                if (options && inner.getAllFields().isEmpty()) {
                    result.clearField(field);
                } else {
                    result.setField(field, inner);
                }
            }
        }
        return result.build();
    }
}
