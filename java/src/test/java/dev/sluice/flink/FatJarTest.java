package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import java.util.spi.ToolProvider;
import java.util.stream.Collectors;

/** What is in the one jar, and that it needs nothing but a JVM, slf4j and (in part) Flink. */
class FatJarTest {
    /** Major version of Java 11's class files. */
    private static final int JAVA_11 = 55;

    private static final Pattern ALLOWED =
            Pattern.compile(
                    "dev/sluice/flink/.*\\.class|dev/sluice/flink/schema/.*\\.proto"
                        + "|native/linux-x86_64/(libsluice_bridge\\.so|build-id)"
                        + "|META-INF/(MANIFEST\\.MF|LICENSE|NOTICE)|META-INF/licenses/[^/]+/[^/]+"
                        + "|META-INF/services/org\\.apache\\.flink\\.table\\.factories\\.Factory");

    /**
     * What Kafka's producer can do and ours does not: codecs (refused by name), unsecured tokens,
     * and printing of its own messages.
     */
    private static final Pattern NOT_BUNDLED =
            Pattern.compile(
                    "shaded\\.kafka\\..* -> (net\\.jpountz|com\\.github\\.luben|org\\.xerial"
                            + "|dev\\.sluice\\.flink\\.shaded\\.jackson\\.databind)\\.");

    /** The connector brings the Kafka that calls them. */
    private static final Pattern OF_INTERCEPTORS =
            Pattern.compile(
                    "dev\\.sluice\\.flink\\.(kafka\\.RecordInterceptor|datastream\\..*)"
                            + " -> org\\.apache\\.kafka\\..*"
                            + "|dev\\.sluice\\.flink\\.kafka\\.shaded\\.RecordInterceptor ->"
                            + " org\\.apache\\.flink\\.kafka\\.shaded\\.org\\.apache\\.kafka\\..*");

    private final Path jar = Path.of(System.getProperty("fat.jar"));

    @Test
    void holdsOnlyOurPackageTheLibraryAndLicences() throws IOException {
        assertThat(entries()).allMatch(name -> ALLOWED.matcher(name).matches());
        assertThat(entries())
                .contains(
                        "native/linux-x86_64/libsluice_bridge.so",
                        "META-INF/services/org.apache.flink.table.factories.Factory",
                        "dev/sluice/flink/ProtoConfluentFormatFactory.class");
    }

    @Test
    void holdsTheLicenceOfEverythingBundled() throws IOException {
        assertThat(entries())
                .contains(
                        "META-INF/LICENSE",
                        "META-INF/NOTICE",
                        "META-INF/licenses/protobuf-java/LICENSE",
                        "META-INF/licenses/jackson-core/LICENSE",
                        "META-INF/licenses/jackson-core/NOTICE",
                        "META-INF/licenses/jackson-core/FastDoubleParser-LICENSE",
                        "META-INF/licenses/jackson-core/FastDoubleParser-NOTICE",
                        "META-INF/licenses/kafka-clients/LICENSE",
                        "META-INF/licenses/kafka-clients/NOTICE",
                        "META-INF/licenses/rust/CRATES");
    }

    @Test
    void namesEveryLinkedCrateAndHoldsTextsOtherThanApache() throws IOException {
        List<String> crates =
                text("META-INF/licenses/rust/CRATES")
                        .lines()
                        .filter(line -> line.matches("\\S+ [0-9.]+: .*"))
                        .collect(Collectors.toList());
        assertThat(crates).anyMatch(line -> line.startsWith("jni "));
        assertThat(crates).anyMatch(line -> line.startsWith("prost "));
        assertThat(crates)
                .filteredOn(line -> !line.contains("Apache-2.0"))
                .isNotEmpty()
                .allSatisfy(
                        line ->
                                assertThat(entries())
                                        .anyMatch(
                                                entry ->
                                                        entry.startsWith(
                                                                "META-INF/licenses/rust/"
                                                                        + line.split(" ")[0]
                                                                        + "-")));
    }

    @Test
    void runsOnJava11() throws IOException {
        Map<String, Integer> tooNew = new TreeMap<>();
        try (JarFile file = new JarFile(jar.toFile())) {
            for (String name : entries()) {
                if (name.endsWith(".class")) {
                    int major = majorVersion(file, file.getJarEntry(name));
                    if (major > JAVA_11) {
                        tooNew.put(name, major);
                    }
                }
            }
            JarEntry ours = file.getJarEntry("dev/sluice/flink/ProtoConfluentFormatFactory.class");
            assertThat(majorVersion(file, ours)).isEqualTo(JAVA_11);
        }
        assertThat(tooNew).isEmpty();
    }

    /** Relocation keeps what is reachable: no class that is left refers to one that is not. */
    @Test
    void refersToNoMissingClassOutsideFlink() throws URISyntaxException {
        StringWriter found = new StringWriter();
        int status =
                ToolProvider.findFirst("jdeps")
                        .orElseThrow()
                        .run(
                                new PrintWriter(found),
                                new PrintWriter(found),
                                "--multi-release",
                                "base",
                                "--missing-deps",
                                "-cp",
                                slf4j().toString(),
                                jar.toString());
        assertThat(status).as(found.toString()).isZero();
        assertThat(found.toString().lines().filter(line -> line.contains(" -> ")))
                .isNotEmpty()
                .filteredOn(line -> !line.contains(" -> org.apache.flink."))
                .filteredOn(line -> !line.contains(" -> not found"))
                .filteredOn(line -> !NOT_BUNDLED.matcher(line).find())
                .filteredOn(line -> !OF_INTERCEPTORS.matcher(squeezed(line)).matches())
                .isEmpty();
    }

    private static String squeezed(String line) {
        return line.strip().replaceAll("\\s+", " ").replaceAll(" not found$", "");
    }

    /**
     * One class for each package that Kafka goes by; the rules of the bundled one touch neither.
     */
    @Test
    void interceptorsImplementWhatTheConnectorsKafkaCalls() {
        assertThat(interfaces("dev/sluice/flink/kafka/RecordInterceptor.class"))
                .containsExactlyInAnyOrder(
                        "org.apache.kafka.clients.consumer.ConsumerInterceptor",
                        "org.apache.kafka.clients.producer.ProducerInterceptor");
        String shaded = "org.apache.flink.kafka.shaded.org.apache.kafka.clients.";
        assertThat(interfaces("dev/sluice/flink/kafka/shaded/RecordInterceptor.class"))
                .containsExactlyInAnyOrder(
                        shaded + "consumer.ConsumerInterceptor",
                        shaded + "producer.ProducerInterceptor");
    }

    private Set<String> interfaces(String entry) {
        URI uri = URI.create("jar:" + jar.toUri() + "!/" + entry);
        return new ClassFileImporter()
                        .importUrl(url(uri))
                        .get(entry.replace(".class", "").replace('/', '.'))
                        .getRawInterfaces()
                        .stream()
                        .map(JavaClass::getName)
                        .collect(Collectors.toSet());
    }

    private static URL url(URI uri) {
        try {
            return uri.toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Kafka loads classes by name: those of a secured producer must be there, too. */
    @Test
    void sendsDeadLettersWithNothingButSlf4j() throws Exception {
        URL[] urls = {jar.toUri().toURL(), slf4j().toUri().toURL()};
        Map<String, String> plain =
                Map.of(
                        "bootstrap.servers", "127.0.0.1:1",
                        "max.block.ms", "200",
                        "delivery.timeout.ms", "300",
                        "request.timeout.ms", "200");
        Map<String, String> secured = new HashMap<>(plain);
        secured.put("security.protocol", "SASL_SSL");
        secured.put("sasl.mechanism", "PLAIN");
        secured.put(
                "sasl.jaas.config",
                String.join(".", "org", "apache", "kafka", "common", "security", "plain")
                        + ".PlainLoginModule required username=\"u\" password=\"p\";");
        try (URLClassLoader alone =
                new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            for (Map<String, String> properties : List.of(plain, secured)) {
                Throwable failure = catchThrowable(() -> sendDeadLetter(alone, properties));
                assertThat(failure).isInstanceOf(IOException.class);
                assertThat(failure).hasMessageContaining("TimeoutException");
            }
        }
    }

    private static void sendDeadLetter(ClassLoader loader, Map<String, String> properties)
            throws Throwable {
        String name = "dev.sluice.flink.deadletter.DeadLetter";
        Class<?> configs = loader.loadClass(name + "Config");
        Class<?> codes = loader.loadClass("dev.sluice.flink.bridge.FailureCode");
        Class<?> failures = loader.loadClass("dev.sluice.flink.engine.RecordException");
        try {
            Object config =
                    configs.getConstructors()[0].newInstance("dead", properties, true, "t", false);
            Object why =
                    failures.getConstructor(codes, String.class)
                            .newInstance(codes.getField("BAD_FRAME").get(null), "reason");
            Object letters =
                    loader.loadClass(name + "s").getMethod("open", configs).invoke(null, config);
            letters.getClass()
                    .getMethod("send", byte[].class, failures)
                    .invoke(letters, new byte[] {1}, why);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    @Test
    void worksWithNothingButSlf4j() throws Exception {
        URL[] urls = {jar.toUri().toURL(), slf4j().toUri().toURL()};
        try (URLClassLoader alone =
                new URLClassLoader(urls, ClassLoader.getPlatformClassLoader())) {
            Object plan = invoke(alone, "dev.sluice.flink.plan.Plan", "getDefaultInstance");
            assertThat(plan.getClass().getMethod("toByteArray").invoke(plan))
                    .isEqualTo(new byte[0]);
            assertThat(invoke(alone, "dev.sluice.flink.bridge.NativeLibrary", "description"))
                    .asString()
                    .contains("linux");
        }
    }

    private static Object invoke(ClassLoader loader, String type, String method)
            throws ReflectiveOperationException {
        return loader.loadClass(type).getMethod(method).invoke(null);
    }

    private List<String> entries() throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return file.stream()
                    .filter(entry -> !entry.isDirectory())
                    .map(JarEntry::getName)
                    .collect(Collectors.toList());
        }
    }

    private String text(String entry) throws IOException {
        try (JarFile file = new JarFile(jar.toFile())) {
            return new String(file.getInputStream(file.getEntry(entry)).readAllBytes());
        }
    }

    private static int majorVersion(JarFile file, JarEntry entry) throws IOException {
        try (DataInputStream in = new DataInputStream(file.getInputStream(entry))) {
            in.readInt(); // magic
            in.readUnsignedShort(); // minor version
            return in.readUnsignedShort();
        }
    }

    private static Path slf4j() throws URISyntaxException {
        return Path.of(Logger.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
}
