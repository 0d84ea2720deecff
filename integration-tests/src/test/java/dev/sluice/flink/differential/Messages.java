package dev.sluice.flink.differential;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.it.GeneratedJar;
import dev.sluice.flink.it.ProtoFile;
import dev.sluice.flink.it.ProtobufRelease;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The messages of {@code resources/differential}, as classes and as descriptors. */
enum Messages {
    PROTO2("proto2.proto", "M2", "diff2.M2", true),
    REQUIRED("proto2.proto", "Req2", "diff2.Req2", true),
    PROTO3("proto3.proto", "M3", "diff3.Third$M3", false),
    OUTER("outer2.proto", "Outer", "diffo.Outer2$Outer", true),
    NESTED("outer2.proto", "Outer.Nested.Inner", "diffo.Outer2$Outer$Nested$Inner", true),
    EDITIONS("editions.proto", "Ed", "diffed.Ed", true);

    private static Classes classes;

    private final String path;
    private final String className;
    private final String message;
    private final boolean guarded;

    /**
     * @param guarded whether Flink asks for each scalar if it is there; it cannot for those that
     *     have no presence
     */
    Messages(String path, String message, String className, boolean guarded) {
        this.path = path;
        this.message = message;
        this.className = className;
        this.guarded = guarded;
    }

    /** Those that Flink of this line can read: protobuf-java 3.21 knows no editions. */
    static List<Messages> ofThisLine() {
        List<Messages> all = new ArrayList<>(List.of(values()));
        if (ProtobufRelease.isFlink1()) {
            all.remove(EDITIONS);
        }
        return all;
    }

    String className() {
        return className;
    }

    Descriptor descriptor() {
        return classes().files.get(path).find(message);
    }

    /** Whether Flink's generated code for a column of this field compiles. */
    boolean isReadable(FieldDescriptor field, boolean readDefaults) {
        return readDefaults || !guarded || field.isRepeated() || field.hasPresence();
    }

    /** The oracle, with the classes of all messages. */
    static FlinkFormat flink() {
        return classes().flink;
    }

    private static synchronized Classes classes() {
        if (classes == null) {
            classes = new Classes();
        }
        return classes;
    }

    private static final class Classes {
        final Map<String, ProtoFile> files = new LinkedHashMap<>();
        final FlinkFormat flink;

        Classes() {
            Map<String, String> texts = new LinkedHashMap<>();
            for (Messages one : ofThisLine()) {
                texts.computeIfAbsent(one.path, Classes::text);
            }
            flink = new FlinkFormat(GeneratedJar.of(FlinkFormat.release(), texts));
            ProtoFile proto2 = file("proto2.proto");
            ProtoFile proto3 = file("proto3.proto", proto2);
            file("outer2.proto", proto3, proto2);
            file("editions.proto");
        }

        private ProtoFile file(String path, ProtoFile... imports) {
            ProtoFile file = ProtoFile.of(path, text(path), imports);
            files.put(path, file);
            return file;
        }

        static String text(String path) {
            try (InputStream text = Messages.class.getResourceAsStream("/differential/" + path)) {
                return new String(text.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
