package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Timestamp;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** protoc itself, as the oracle for texts that it accepts. One call takes many files. */
final class Protoc {
    private final Path folder;

    /**
     * @param folder an empty folder for the texts
     */
    Protoc(Path folder) {
        this.folder = folder;
        Set<String> paths = new TreeSet<>(BuiltinImports.paths());
        paths.add("google/protobuf/java_features.proto");
        for (String path : paths) {
            boolean compiled = path.startsWith("google/protobuf/");
            Class<?> owner = compiled ? Timestamp.class : BuiltinImports.class;
            try (InputStream in = owner.getResourceAsStream(compiled ? "/" + path : path)) {
                write(path, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException broken) {
                throw new UncheckedIOException(broken);
            }
        }
    }

    private void write(String path, String text) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    /**
     * Compiles the texts. Those that protoc refuses are left out, and told in {@code refusals}.
     *
     * @return descriptor by path, of the texts and all that they import
     */
    Map<String, FileDescriptorProto> compile(
            Map<String, String> texts, Map<String, String> refusals) throws Exception {
        for (Map.Entry<String, String> text : texts.entrySet()) {
            write(text.getKey(), text.getValue());
        }
        Map<String, String> left = new LinkedHashMap<>(texts);
        while (!left.isEmpty()) {
            Path result = folder.resolve("result.bin");
            List<String> command = new ArrayList<>();
            command.add(System.getProperty("sluice.protoc"));
            command.add("--proto_path=" + folder);
            command.add("--include_imports");
            command.add("--retain_options");
            command.add("--descriptor_set_out=" + result);
            command.addAll(left.keySet());
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            String output =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() == 0) {
                return descriptors(result);
            }
            dropRefused(left, output, refusals);
        }
        return Map.of();
    }

    private void dropRefused(
            Map<String, String> left, String output, Map<String, String> refusals) {
        int before = left.size();
        for (String line : output.replace(folder + "/", "").split("\n")) {
            String path = line.split(":", 2)[0];
            if (!line.contains("warning:") && left.remove(path) != null) {
                refusals.put(path, line);
            }
        }
        if (left.size() == before) {
            throw new IllegalStateException("protoc failed without naming a file: " + output);
        }
    }

    private static Map<String, FileDescriptorProto> descriptors(Path result) throws IOException {
        FileDescriptorSet files =
                FileDescriptorSet.parseFrom(Files.readAllBytes(result), KnownExtensions.registry());
        Map<String, FileDescriptorProto> byPath = new TreeMap<>();
        for (FileDescriptorProto file : files.getFileList()) {
            byPath.put(file.getName(), file);
        }
        return byPath;
    }
}
