package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.Orders;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;

/**
 * The one jar where there is no native library for the platform: its copy without {@code native/}.
 */
class WithoutLibraryTest {
    private static final String ENGINE = "dev.sluice.flink.engine.";

    @TempDir static Path folder;

    private static Path jar;

    @BeforeAll
    static void takeTheLibraryOut() throws IOException {
        jar = folder.resolve("without-library.jar");
        try (JarFile whole = new JarFile(System.getProperty("fat.jar"));
                OutputStream file = Files.newOutputStream(jar);
                JarOutputStream copy = new JarOutputStream(file)) {
            for (JarEntry entry : Collections.list(whole.entries())) {
                if (!entry.getName().startsWith("native/")) {
                    copy.putNextEntry(new JarEntry(entry.getName()));
                    try (InputStream content = whole.getInputStream(entry)) {
                        content.transferTo(copy);
                    }
                    copy.closeEntry();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"AUTO", "JAVA"})
    void recordsAreReadInJava(String engine) throws Throwable {
        try (URLClassLoader alone = alone()) {
            Object decoder = open(alone, engine);
            Class<?> type = alone.loadClass(ENGINE + "RecordDecoder");
            assertThat(type.getMethod("isNative").invoke(decoder)).isEqualTo(false);
            Object row =
                    type.getMethod("decode", byte[].class)
                            .invoke(decoder, (Object) Orders.record(7, "a rope of twenty metres"));
            assertThat(Orders.text((byte[]) row)).isEqualTo("7 a rope of twenty metres");
            assertThat(type.getMethod("records").invoke(decoder)).isEqualTo(1L);
        }
    }

    @Test
    void nativeFailsAndSaysWhy() throws Exception {
        try (URLClassLoader alone = alone()) {
            assertThatThrownBy(() -> open(alone, "NATIVE"))
                    .hasMessageContaining("the native library is not usable here (os linux")
                    .hasMessageContaining("this jar has no library for the platform");
        }
    }

    private static URLClassLoader alone() throws Exception {
        URL slf4j = Logger.class.getProtectionDomain().getCodeSource().getLocation();
        return new URLClassLoader(
                new URL[] {jar.toUri().toURL(), slf4j}, ClassLoader.getPlatformClassLoader());
    }

    private static Object open(ClassLoader loader, String engine) throws Throwable {
        Class<?> engines = loader.loadClass(ENGINE + "Engine");
        Class<?> schemas = loader.loadClass(ENGINE + "WriterSchemas");
        Object answer = message(loader);
        Object orders =
                Proxy.newProxyInstance(
                        loader,
                        new Class<?>[] {schemas},
                        (proxy, method, asked) ->
                                method.getName().equals("resolve") ? answer : Optional.empty());
        try {
            return engines.getMethod("open", byte[].class, schemas)
                    .invoke(
                            engines.getField(engine).get(null),
                            Orders.plan().build().toByteArray(),
                            orders);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static Object message(ClassLoader loader) throws ReflectiveOperationException {
        Class<?> schemas = loader.loadClass("dev.sluice.flink.schema.WriterSchema");
        Object schema =
                schemas.getMethod("of", String.class, Map.class)
                        .invoke(null, Orders.TEXT, Map.of());
        Class<?> origins = loader.loadClass("dev.sluice.flink.schema.SchemaOrigin");
        return loader.loadClass(ENGINE + "WriterMessage")
                .getMethod("of", schemas, int[].class, origins)
                .invoke(null, schema, new int[] {0}, origins.getField("NONE").get(null));
    }
}
