package dev.sluice.flink.it;

import com.google.protobuf.Message;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Classes that protoc generates while a test runs: on the class path of nobody, in a jar of their
 * own, as a user has them.
 */
public final class GeneratedJar {
    private static final Pattern BUILT_IN =
            Pattern.compile("import\\s+[\"'](google/protobuf/\\w+\\.proto)[\"']");

    private GeneratedJar() {}

    /**
     * Generates and compiles the classes of some files.
     *
     * @param files texts by path; those of {@code google/protobuf} need not be there
     * @return the jar, which is deleted when the JVM ends
     */
    public static Path of(ProtobufRelease release, Map<String, String> files) {
        try {
            Path folder = Files.createTempDirectory("sluice-generated");
            try {
                List<Path> sources = generate(release, files, folder);
                Path classes = Files.createDirectory(folder.resolve("classes"));
                compile(sources, release.runtime(), classes);
                return pack(classes);
            } finally {
                delete(folder);
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("no generated classes of " + files.keySet(), e);
        }
    }

    private static List<Path> generate(
            ProtobufRelease release, Map<String, String> files, Path folder)
            throws IOException, InterruptedException {
        Path proto = Files.createDirectory(folder.resolve("proto"));
        Path java = Files.createDirectory(folder.resolve("java"));
        for (Map.Entry<String, String> file : files.entrySet()) {
            Path path = proto.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            Matcher builtIn = BUILT_IN.matcher(file.getValue());
            while (builtIn.find()) {
                writeBuiltIn(builtIn.group(1), proto);
            }
        }
        List<String> command = new ArrayList<>();
        command.add(release.protoc().toString());
        command.add("--proto_path=" + proto);
        command.add("--java_out=" + java);
        command.addAll(files.keySet());
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
        return filesIn(java);
    }

    /** The files that come with protobuf-java, as protoc alone has none. */
    private static void writeBuiltIn(String path, Path folder) throws IOException {
        Path file = folder.resolve(path);
        Files.createDirectories(file.getParent());
        try (InputStream text = Message.class.getResourceAsStream("/" + path)) {
            Files.write(file, text.readAllBytes());
        }
    }

    private static void compile(List<Path> sources, List<Path> classPath, Path classes)
            throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        String jars =
                classPath.stream()
                        .map(Path::toString)
                        .collect(Collectors.joining(File.pathSeparator));
        List<String> options =
                List.of(
                        "-nowarn",
                        "-proc:none",
                        "-encoding",
                        "UTF-8",
                        "-classpath",
                        jars,
                        "-d",
                        classes.toString());
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            if (!compiler.getTask(
                            said,
                            files,
                            null,
                            options,
                            null,
                            files.getJavaFileObjects(sources.toArray(new Path[0])))
                    .call()) {
                throw new IOException(said.toString());
            }
        }
    }

    private static Path pack(Path classes) throws IOException {
        Path jar = Files.createTempFile("sluice-generated", ".jar");
        jar.toFile().deleteOnExit();
        try (JarOutputStream packed = new JarOutputStream(Files.newOutputStream(jar))) {
            for (Path file : filesIn(classes)) {
                packed.putNextEntry(new JarEntry(classes.relativize(file).toString()));
                Files.copy(file, packed);
            }
        }
        return jar;
    }

    private static List<Path> filesIn(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile).collect(Collectors.toList());
        }
    }

    private static void delete(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
