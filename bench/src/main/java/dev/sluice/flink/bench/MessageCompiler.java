package dev.sluice.flink.bench;

import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FileDescriptor;

import org.apache.flink.formats.protobuf.util.PbFormatUtils;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.ToolProvider;

/**
 * Classes for a message that the user gives, by the build's protoc and the JDK's compiler: Flink's
 * format reads none without.
 *
 * @param folder where all of it goes; emptied by the caller
 */
record MessageCompiler(Path folder) {

    private static final Path PROTOC = Path.of("java", "build", "protoc", "protoc");
    private static final Path WELL_KNOWN = Path.of("bench", "build", "include");

    Path classes() {
        return folder.resolve("classes");
    }

    /**
     * @param proto its imports are looked for beside it
     * @param message full name
     * @return binary name of the class
     */
    String compile(Path proto, String message) throws Exception {
        Path sources = Files.createDirectories(folder.resolve("java"));
        Path descriptors = folder.resolve("descriptors");
        Path beside = proto.toAbsolutePath().getParent();
        List<String> protoc =
                List.of(PROTOC.toString(), "-I" + beside, "-I" + WELL_KNOWN.toAbsolutePath());
        String file = proto.toAbsolutePath().toString();
        run(protoc, List.of("--include_imports", "--descriptor_set_out=" + descriptors, file));
        List<FileDescriptorProto> files =
                FileDescriptorSet.parseFrom(Files.readAllBytes(descriptors)).getFileList();
        List<String> generate = new ArrayList<>(List.of("--java_out=" + sources));
        files.stream()
                .map(FileDescriptorProto::getName)
                .filter(name -> !name.startsWith("google/protobuf/"))
                .forEach(generate::add);
        run(protoc, generate);
        javac(sources);
        return binaryName(PbFormatUtils.getFullJavaName(find(files, message)));
    }

    /** The name with {@code $} before as many of its last parts as are nested classes. */
    private String binaryName(String canonical) {
        String name = canonical;
        while (!Files.exists(classes().resolve(name.replace('.', '/') + ".class"))) {
            int dot = name.lastIndexOf('.');
            if (dot < 0) {
                throw new IllegalStateException("protoc has not made " + canonical);
            }
            name = name.substring(0, dot) + "$" + name.substring(dot + 1);
        }
        return name;
    }

    private static void run(List<String> command, List<String> more)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(command);
        line.addAll(more);
        if (new ProcessBuilder(line).inheritIO().start().waitFor() != 0) {
            throw new IllegalArgumentException("protoc refuses the file");
        }
    }

    private void javac(Path sources) throws IOException {
        Files.createDirectories(classes());
        List<String> line = new ArrayList<>(List.of("-nowarn", "-d", classes().toString()));
        line.addAll(List.of("-cp", System.getProperty("java.class.path")));
        try (Stream<Path> files = Files.walk(sources)) {
            files.map(Path::toString).filter(file -> file.endsWith(".java")).forEach(line::add);
        }
        int exit =
                ToolProvider.getSystemJavaCompiler()
                        .run(null, null, null, line.toArray(String[]::new));
        if (exit != 0) {
            throw new IllegalStateException("javac ended with " + exit);
        }
    }

    /** Files of a descriptor set come after those that they import. */
    private static Descriptor find(List<FileDescriptorProto> files, String message)
            throws DescriptorValidationException {
        Map<String, FileDescriptor> linked = new LinkedHashMap<>();
        for (FileDescriptorProto file : files) {
            FileDescriptor[] imports =
                    file.getDependencyList().stream()
                            .map(linked::get)
                            .toArray(FileDescriptor[]::new);
            linked.put(file.getName(), FileDescriptor.buildFrom(file, imports));
        }
        List<Descriptor> messages =
                linked.values().stream()
                        .flatMap(file -> withNested(file.getMessageTypes()))
                        .collect(Collectors.toList());
        return messages.stream()
                .filter(known -> known.getFullName().equals(message))
                .findFirst()
                .orElseThrow(
                        () -> new IllegalArgumentException("the files have no message " + message));
    }

    private static Stream<Descriptor> withNested(List<Descriptor> messages) {
        return messages.stream()
                .flatMap(each -> Stream.concat(Stream.of(each), withNested(each.getNestedTypes())));
    }
}
