package dev.sluice.flink.bench;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.management.OperatingSystemMXBean;

import org.apache.flink.runtime.util.EnvironmentInformation;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Where and of what results are: {@code machine.json} beside {@code results.json}. Numbers of two
 * machines, or of a busy and a quiet one, are not compared.
 *
 * @param facts in the order in which they are shown
 */
record Machine(Map<String, String> facts) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Path CPU = Path.of("/proc/cpuinfo");

    /**
     * This machine, now.
     *
     * @param mode how long was measured
     */
    static Machine here(String mode) throws IOException {
        OperatingSystemMXBean system =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("date", LocalDate.now().toString());
        facts.put("commit", System.getProperty("bench.commit", "unknown"));
        facts.put("mode", mode);
        facts.put("cpu", cpu());
        facts.put("cores", Integer.toString(system.getAvailableProcessors()));
        facts.put("memory", (system.getTotalMemorySize() >> 30) + " GiB");
        facts.put("load", String.format(Locale.ROOT, "%.1f", system.getSystemLoadAverage()));
        facts.put("jdk", Runtime.version() + " " + System.getProperty("java.vm.name"));
        facts.put("rust", System.getProperty("bench.rust", "unknown"));
        facts.put("flink", EnvironmentInformation.getVersion());
        facts.put("protobuf-java", protobufJava());
        return new Machine(facts);
    }

    static Machine read(Path file) throws IOException {
        return new Machine(
                JSON.readValue(
                        Files.readString(file),
                        new TypeReference<LinkedHashMap<String, String>>() {}));
    }

    void write(Path file) throws IOException {
        Files.createDirectories(file.toAbsolutePath().getParent());
        String text = JSON.writerWithDefaultPrettyPrinter().writeValueAsString(facts);
        Files.writeString(file, text + "\n");
    }

    /** One line. */
    String text() {
        StringBuilder text = new StringBuilder();
        facts.forEach(
                (name, fact) ->
                        text.append(text.length() == 0 ? "" : ", ").append(name + " " + fact));
        return text.toString();
    }

    private static String cpu() throws IOException {
        if (!Files.exists(CPU)) {
            return System.getProperty("os.arch");
        }
        List<String> lines = Files.readAllLines(CPU);
        return String.format(
                "%s, family %s, model %s",
                fact(lines, "model name"), fact(lines, "cpu family"), fact(lines, "model"));
    }

    private static String fact(List<String> lines, String name) {
        return lines.stream()
                .filter(line -> line.matches(name + "\\s*:.*"))
                .map(line -> line.substring(line.indexOf(':') + 1).trim())
                .findFirst()
                .orElse("unknown");
    }

    private static String protobufJava() {
        return String.format(
                "%d.%d.%d",
                com.google.protobuf.RuntimeVersion.MAJOR,
                com.google.protobuf.RuntimeVersion.MINOR,
                com.google.protobuf.RuntimeVersion.PATCH);
    }
}
