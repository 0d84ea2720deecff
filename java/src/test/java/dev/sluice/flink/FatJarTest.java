package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
                .isEmpty();
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
