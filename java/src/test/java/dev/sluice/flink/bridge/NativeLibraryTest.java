package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

import java.io.ByteArrayInputStream;
import java.io.File;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Each test that loads uses a class loader of its own, as a job with our jar in user code does. */
class NativeLibraryTest {
    private static final String PACKAGE = NativeLibrary.class.getPackageName();

    @Test
    void tellsWhereTheLibraryCameFrom() {
        assertThat(NativeLibrary.description())
                .matches("native/.+/.*sluice_bridge.* of the jar, build [0-9a-f]{16}, os .+");
    }

    @Test
    void twoClassLoadersLoadACopyEach() throws Exception {
        try (URLClassLoader first = loader();
                URLClassLoader second = loader()) {
            Object opened = openDecoder(first);
            assertThat(liveDecoders(first)).isEqualTo(1);
            assertThat(liveDecoders(second)).isZero();
            ((AutoCloseable) opened).close();
            assertThat(liveDecoders(first)).isZero();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void theCopyOnDiskIsGoneOnceLoaded() throws Exception {
        try (URLClassLoader loader = loader()) {
            assertThat(require(loader)).isNull();
        }
        List<String> mapped =
                Files.readAllLines(Paths.get("/proc/self/maps")).stream()
                        .filter(line -> line.contains("sluice-bridge-"))
                        .collect(Collectors.toList());
        assertThat(mapped).isNotEmpty().allMatch(line -> line.endsWith(" (deleted)"));
    }

    @Test
    void aFailureIsRememberedAndNamesThePlatform() throws Exception {
        System.setProperty(NativeLibrary.PATH_PROPERTY, "/nowhere/libsluice_bridge.so");
        try (URLClassLoader loader = loader()) {
            Throwable first = require(loader);
            System.clearProperty(NativeLibrary.PATH_PROPERTY);
            Throwable second = require(loader);
            assertThat(first.getClass().getSimpleName()).isEqualTo("NativeUnavailableException");
            assertThat(first)
                    .hasMessageMatching("(?s).*\\(os \\w+, arch \\w+.*\\).*/nowhere/.*")
                    .hasCauseInstanceOf(UnsatisfiedLinkError.class);
            assertThat(second).isNotSameAs(first).hasCause(first.getCause());
        } finally {
            System.clearProperty(NativeLibrary.PATH_PROPERTY);
        }
    }

    @Test
    void theSystemLibraryPathIsAskedOnlyOnDemand() throws Exception {
        System.setProperty(NativeLibrary.PATH_PROPERTY, "system");
        try (URLClassLoader loader = loader()) {
            assertThat(require(loader)).hasMessageContaining("java.library.path");
        } finally {
            System.clearProperty(NativeLibrary.PATH_PROPERTY);
        }
    }

    @Test
    void aLibraryOfAnotherBuildIsRefused() throws Exception {
        try (URLClassLoader loader = new OtherBuildLoader(classPath())) {
            assertThat(require(loader))
                    .hasMessageMatching(".*build [0-9a-f]{16} instead of 0123456789abcdef in .*");
        }
    }

    /** The jar says that it holds another build than its library is. */
    private static final class OtherBuildLoader extends URLClassLoader {
        OtherBuildLoader(URL[] classPath) {
            super(classPath, ClassLoader.getPlatformClassLoader());
        }

        @Override
        public InputStream getResourceAsStream(String name) {
            return name.endsWith("/build-id")
                    ? new ByteArrayInputStream("0123456789abcdef".getBytes(StandardCharsets.UTF_8))
                    : super.getResourceAsStream(name);
        }
    }

    private static URLClassLoader loader() {
        return new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader());
    }

    private static URL[] classPath() {
        List<URL> urls =
                Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                        .map(NativeLibraryTest::url)
                        .collect(Collectors.toList());
        return urls.toArray(new URL[0]);
    }

    private static URL url(String path) {
        try {
            return new File(path).toURI().toURL();
        } catch (MalformedURLException e) {
            throw new IllegalArgumentException(path, e);
        }
    }

    /** What {@code NativeLibrary.require()} throws in this class loader; null for nothing. */
    private static Throwable require(ClassLoader loader) throws Exception {
        try {
            loader.loadClass(PACKAGE + ".NativeLibrary").getMethod("require").invoke(null);
            return null;
        } catch (InvocationTargetException e) {
            return e.getCause();
        }
    }

    private static Object openDecoder(ClassLoader loader) throws Exception {
        return loader.loadClass(PACKAGE + ".NativeDecoder")
                .getConstructor(byte[].class)
                .newInstance((Object) Orders.plan().build().toByteArray());
    }

    private static long liveDecoders(ClassLoader loader) throws Exception {
        Class<?> library = loader.loadClass(PACKAGE + ".NativeLibrary");
        library.getMethod("require").invoke(null);
        Method live = library.getDeclaredMethod("liveDecoders");
        live.setAccessible(true);
        return (long) live.invoke(null);
    }
}
