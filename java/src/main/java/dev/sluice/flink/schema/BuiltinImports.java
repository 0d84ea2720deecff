package dev.sluice.flink.schema;

import com.google.protobuf.AnyProto;
import com.google.protobuf.ApiProto;
import com.google.protobuf.DescriptorProtos;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DurationProto;
import com.google.protobuf.EmptyProto;
import com.google.protobuf.FieldMaskProto;
import com.google.protobuf.SourceContextProto;
import com.google.protobuf.StructProto;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.TypeProto;
import com.google.protobuf.WrappersProto;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The 30 files that any schema may import without a reference (H17): {@code google/protobuf} from
 * protobuf-java's own descriptors, {@code google/type} and {@code confluent} from texts beside this
 * class. A reference of the same name wins over them (H18), which is the linker's business.
 */
final class BuiltinImports {
    private static final String[] TEXTS = {
        "confluent/meta.proto",
        "confluent/type/decimal.proto",
        "confluent/type/variant.proto",
        "google/type/calendar_period.proto",
        "google/type/color.proto",
        "google/type/date.proto",
        "google/type/datetime.proto",
        "google/type/dayofweek.proto",
        "google/type/decimal.proto",
        "google/type/expr.proto",
        "google/type/fraction.proto",
        "google/type/interval.proto",
        "google/type/latlng.proto",
        "google/type/money.proto",
        "google/type/month.proto",
        "google/type/phone_number.proto",
        "google/type/postal_address.proto",
        "google/type/quaternion.proto",
        "google/type/timeofday.proto",
    };

    private static final Map<String, FileDescriptor> LINKED = new ConcurrentHashMap<>();
    private static final Set<String> PATHS = new TreeSet<>();

    static {
        FileDescriptor[] compiled = {
            AnyProto.getDescriptor(),
            ApiProto.getDescriptor(),
            DescriptorProtos.getDescriptor(),
            DurationProto.getDescriptor(),
            EmptyProto.getDescriptor(),
            FieldMaskProto.getDescriptor(),
            SourceContextProto.getDescriptor(),
            StructProto.getDescriptor(),
            TimestampProto.getDescriptor(),
            TypeProto.getDescriptor(),
            WrappersProto.getDescriptor(),
        };
        for (FileDescriptor file : compiled) {
            LINKED.put(file.getName(), file);
            PATHS.add(file.getName());
        }
        for (String path : TEXTS) {
            PATHS.add(path);
        }
    }

    private BuiltinImports() {}

    static Set<String> paths() {
        return new TreeSet<>(PATHS);
    }

    static boolean has(String path) {
        return PATHS.contains(path);
    }

    /** One of the files, linked against the others. */
    static FileDescriptor linked(String path) {
        return LINKED.computeIfAbsent(path, BuiltinImports::link);
    }

    private static FileDescriptor link(String path) {
        try {
            FileDescriptorProto file =
                    new SchemaParser(new SourceText(path, text(path))).file().file;
            Map<String, FileDescriptor> imports = new TreeMap<>();
            for (String dependency : file.getDependencyList()) {
                imports.put(dependency, LINKED.get(dependency)); // texts import compiled files only
            }
            return FileDescriptor.buildFrom(
                    file.toBuilder().setName(path).build(),
                    imports.values().toArray(new FileDescriptor[0]));
        } catch (IOException | SchemaException | DescriptorValidationException broken) {
            throw new IllegalStateException("built-in schema " + path + " is broken", broken);
        }
    }

    private static String text(String path) throws IOException {
        try (InputStream in = BuiltinImports.class.getResourceAsStream(path)) {
            if (in == null) {
                throw new IOException("resource is missing");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
