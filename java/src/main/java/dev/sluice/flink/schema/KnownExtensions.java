package dev.sluice.flink.schema;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.ExtensionRegistry;
import com.google.protobuf.JavaFeaturesProto;
import com.google.protobuf.JavaFeaturesProto.JavaFeatures;
import com.google.protobuf.Message;

/**
 * The custom options that we understand: {@code confluent.*_meta} (field 1088 of the options
 * messages, H10) and {@code features.(pb.java)}.
 */
final class KnownExtensions {
    private static final int META_NUMBER = 1088;

    private KnownExtensions() {}

    /** Confluent's are found in our own meta.proto, which holds no such option itself. */
    private static final class Confluent {
        static final FileDescriptor FILE = BuiltinImports.linked("confluent/meta.proto");
        static final ExtensionRegistry REGISTRY = registry();

        private static ExtensionRegistry registry() {
            ExtensionRegistry registry = ExtensionRegistry.newInstance();
            registry.add(JavaFeaturesProto.java_);
            for (FieldDescriptor meta : FILE.getExtensions()) {
                registry.add(meta, DynamicMessage.getDefaultInstance(meta.getMessageType()));
            }
            return registry.getUnmodifiable();
        }
    }

    /** The extension of {@code type} with this full name, or null. */
    static FieldDescriptor find(Descriptor type, String fullName) {
        FieldDescriptor found = null;
        if (fullName.equals("pb.java")) {
            found = JavaFeaturesProto.java_.getDescriptor();
        } else if (fullName.startsWith("confluent.")) {
            found = Confluent.FILE.findExtensionByName(fullName.substring("confluent.".length()));
        }
        return found != null && found.getContainingType() == type ? found : null;
    }

    /** Confluent's meta of these options, or null. */
    static Message meta(Message options) {
        FieldDescriptor meta = metaField(options);
        return meta == null ? null : (Message) options.getField(meta);
    }

    /** The extension that holds Confluent's meta in these options, or null if they have none. */
    static FieldDescriptor metaField(Message options) {
        for (FieldDescriptor meta : Confluent.FILE.getExtensions()) {
            if (meta.getContainingType() == options.getDescriptorForType()
                    && options.hasField(meta)) {
                return meta;
            }
        }
        return null;
    }

    static Message.Builder builder(FieldDescriptor extension) {
        return extension.getNumber() == META_NUMBER
                ? DynamicMessage.newBuilder(extension.getMessageType())
                : JavaFeatures.newBuilder();
    }

    /** For reading serialized descriptors without losing these options. */
    static ExtensionRegistry registry() {
        return Confluent.REGISTRY;
    }
}
