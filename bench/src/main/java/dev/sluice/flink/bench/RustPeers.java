package dev.sluice.flink.bench;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Path {@code arrow}: records to Arrow columns, beside crates that do the same. They are measured
 * by a program in Rust, {@code rust/peers}, which is given the payload in files; this JVM waits.
 */
final class RustPeers {
    private static final Path PROGRAM = Path.of("rust", "peers", "Cargo.toml");

    private RustPeers() {}

    static List<Measurement> run(Payload payload, Settings settings)
            throws IOException, InterruptedException {
        Path folder = Path.of("build", "bench", "peers", payload.name());
        write(payload, folder);
        Path results = folder.resolve("results.json").toAbsolutePath();
        Files.deleteIfExists(results);
        List<String> line = new ArrayList<>(List.of("cargo", "run", "--quiet", "--release"));
        line.addAll(List.of("--locked", "--manifest-path", PROGRAM.toString(), "--"));
        line.addAll(List.of(folder.toString(), results.toString()));
        line.addAll(settings.toArguments().subList(0, 3));
        int exit = new ProcessBuilder(line).inheritIO().start().waitFor();
        if (exit != 0) {
            throw new IllegalStateException(String.join(" ", line) + " ended with " + exit);
        }
        return ResultFile.read(results);
    }

    /** The files that the program reads; their form is told there. */
    static void write(Payload payload, Path folder) throws IOException {
        Files.createDirectories(folder);
        String columns = String.join(",", payload.row().getFieldNames());
        String message = payload.descriptor().getFullName();
        Files.writeString(
                folder.resolve("payload"), String.join("\n", payload.name(), message, columns, ""));
        FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
        for (FileDescriptor file : filesOf(payload)) {
            set.addFile(file.toProto());
        }
        Files.write(folder.resolve("set"), set.build().toByteArray());
        try (OutputStream file = Files.newOutputStream(folder.resolve("records"))) {
            CodedOutputStream out = CodedOutputStream.newInstance(file);
            for (byte[] record : payload.records()) {
                out.writeByteArrayNoTag(record);
            }
            out.flush();
        }
    }

    private static Set<FileDescriptor> filesOf(Payload payload) {
        Set<FileDescriptor> files = new LinkedHashSet<>();
        collect(payload.descriptor().getFile(), files);
        return files;
    }

    /** Imports first. */
    private static void collect(FileDescriptor file, Set<FileDescriptor> files) {
        file.getDependencies().forEach(each -> collect(each, files));
        files.add(file);
    }
}
