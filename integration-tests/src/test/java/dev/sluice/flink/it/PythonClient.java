package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Confluent's own client in Python, as a process per call, on our broker and the real registry. */
final class PythonClient {
    static final Path PYTHON = Path.of(System.getProperty("python"));
    static final Path DEMO = Path.of(System.getProperty("demo"));
    private static final Path SCRIPTS = Path.of(System.getProperty("python.scripts"));

    private PythonClient() {}

    /**
     * Registers a schema text.
     *
     * @param imports from path to the subject that has the file
     */
    static int register(String subject, String text, Map<String, String> imports) throws Exception {
        Path file = Files.createTempFile("sluice-schema", ".proto");
        try {
            Files.writeString(file, text);
            List<String> arguments = new ArrayList<>();
            arguments.addAll(List.of(Registry.shared().url(), subject, file.toString()));
            imports.forEach((path, of) -> arguments.add(path + "=" + of));
            return Integer.parseInt(script(SCRIPTS.resolve("register.py"), arguments).strip());
        } finally {
            Files.delete(file);
        }
    }

    /** The values of a topic, each as JSON. */
    static List<String> values(Topic topic) throws Exception {
        return consume(topic, Registry.shared().url());
    }

    /** Keys and values, separated by a blank. */
    static List<String> keysAndValues(Topic topic) throws Exception {
        return keysAndValues(topic, Registry.shared().url());
    }

    /** The same by another registry. */
    static List<String> keysAndValues(Topic topic, String registry) throws Exception {
        return consume(topic, registry, "--keys");
    }

    /** Writes keys and values that name their schemas in headers. */
    static void produceHeaders(Topic topic, String registry, int count) throws Exception {
        script(
                SCRIPTS.resolve("produce_headers.py"),
                List.of(
                        KafkaBroker.shared().bootstrapServers(),
                        registry,
                        topic.name(),
                        Integer.toString(count)));
    }

    private static List<String> consume(Topic topic, String registry, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>();
        arguments.addAll(List.of("--broker", KafkaBroker.shared().bootstrapServers()));
        arguments.addAll(List.of("--registry", registry, "--topic", topic.name()));
        arguments.addAll(List.of(more));
        return script(DEMO.resolve("consume.py"), arguments).lines().collect(Collectors.toList());
    }

    private static String script(Path script, List<String> arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of(PYTHON.toString(), script.toString()));
        command.addAll(arguments);
        return run(command.toArray(new String[0]));
    }

    /** What a command printed; warnings are part of it only if it failed. */
    static String run(String... command) throws IOException, InterruptedException {
        Path warnings = Files.createTempFile("sluice-python", ".err");
        try {
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("PYTHONIOENCODING", "utf-8");
            Process process = builder.redirectError(warnings.toFile()).start();
            byte[] said = process.getInputStream().readAllBytes();
            assertThat(process.waitFor()).as(Files.readString(warnings)).isZero();
            return new String(said, StandardCharsets.UTF_8);
        } finally {
            Files.delete(warnings);
        }
    }
}
