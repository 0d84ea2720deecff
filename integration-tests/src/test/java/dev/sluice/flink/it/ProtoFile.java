package dev.sluice.flink.it;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;

import dev.sluice.flink.it.server.Registry;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A schema text with its imports, compiled by protoc and registered at the real registry, and a
 * writer of framed records by it: an implementation apart from the format's own parser and reader.
 */
public final class ProtoFile {
    private static final Pattern BUILT_IN =
            Pattern.compile("import\\s+[\"'](google/protobuf/\\w+\\.proto)[\"']");

    private final String path;
    private final String text;
    private final List<ProtoFile> imports;
    private final FileDescriptor descriptor;
    private int id;

    private ProtoFile(String path, String text, List<ProtoFile> imports) {
        this.path = path;
        this.text = text;
        this.imports = imports;
        this.descriptor = compile();
    }

    public static ProtoFile of(String path, String text, ProtoFile... imports) {
        return new ProtoFile(path, text, List.of(imports));
    }

    /** Registers the imports, each under its path, then this file under a subject. */
    ProtoFile register(String subject) {
        Map<String, String> references = new LinkedHashMap<>();
        for (ProtoFile imported : imports) {
            imported.register(imported.path);
            references.put(imported.path, imported.path);
        }
        id = Registry.shared().register(subject, text, references);
        return this;
    }

    int id() {
        return id;
    }

    /** The message in protobuf's text format, framed with this file's schema id (W1, W5, W6). */
    byte[] record(String message, String content) {
        return Frames.framed(id, indexes(message), bytes(message, content));
    }

    /** The bare message bytes. */
    byte[] bytes(String message, String content) {
        try {
            DynamicMessage.Builder builder = DynamicMessage.newBuilder(find(message));
            TextFormat.merge(content, builder);
            return builder.build().toByteArray();
        } catch (TextFormat.ParseException e) {
            throw new IllegalArgumentException(content, e);
        }
    }

    /** A message of this file by its name, {@code Outer.Nested}. */
    public Descriptor find(String message) {
        String[] names = message.split("\\.");
        Descriptor found = descriptor.findMessageTypeByName(names[0]);
        for (int i = 1; i < names.length; i++) {
            found = found.findNestedTypeByName(names[i]);
        }
        return found;
    }

    private int[] indexes(String message) {
        List<Integer> path = new ArrayList<>();
        for (Descriptor at = find(message); at != null; at = at.getContainingType()) {
            path.add(0, at.getIndex());
        }
        return path.stream().mapToInt(Integer::intValue).toArray();
    }

    private FileDescriptor compile() {
        try {
            Path folder = Files.createTempDirectory("sluice-proto");
            try {
                return link(protoc(folder));
            } finally {
                try (Stream<Path> files = Files.walk(folder)) {
                    files.sorted(Comparator.reverseOrder())
                            .map(Path::toFile)
                            .forEach(f -> f.delete());
                }
            }
        } catch (IOException | InterruptedException | DescriptorValidationException e) {
            throw new IllegalStateException("protoc and " + path, e);
        }
    }

    private FileDescriptorSet protoc(Path folder) throws IOException, InterruptedException {
        write(folder);
        Path result = folder.resolve("descriptors");
        Process process =
                new ProcessBuilder(
                                System.getProperty("protoc"),
                                "--proto_path=" + folder,
                                "--include_imports",
                                "--descriptor_set_out=" + result,
                                path)
                        .redirectErrorStream(true)
                        .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return FileDescriptorSet.parseFrom(Files.readAllBytes(result));
    }

    private void write(Path folder) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        for (ProtoFile imported : imports) {
            imported.write(folder);
        }
        Matcher builtIn = BUILT_IN.matcher(text);
        while (builtIn.find()) {
            writeBuiltIn(builtIn.group(1), folder);
        }
    }

    /** The files that come with protobuf-java, as protoc alone has none. */
    private static void writeBuiltIn(String path, Path folder) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        try (InputStream text = FileDescriptorSet.class.getResourceAsStream("/" + path)) {
            Files.write(file, text.readAllBytes());
        }
    }

    /** protoc lists files after all that they import; this file is the last. */
    private static FileDescriptor link(FileDescriptorSet set) throws DescriptorValidationException {
        Map<String, FileDescriptor> linked = new HashMap<>();
        FileDescriptor last = null;
        for (FileDescriptorProto file : set.getFileList()) {
            FileDescriptor[] known =
                    file.getDependencyList().stream()
                            .map(linked::get)
                            .toArray(FileDescriptor[]::new);
            last = FileDescriptor.buildFrom(file, known);
            linked.put(file.getName(), last);
        }
        return last;
    }
}
