package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

class InterceptorClassesTest {
    private static final String SHADED =
            "org/apache/flink/kafka/shaded/org/apache/kafka/clients/consumer";

    @Test
    void theClassIsThatOfTheConnectorsKafka(@TempDir Path sqlConnector) throws Exception {
        assertThat(InterceptorClasses.of(getClass().getClassLoader()))
                .isEqualTo(RecordInterceptor.class.getName());

        Path folder = Files.createDirectories(sqlConnector.resolve(SHADED));
        Files.createFile(folder.resolve("ConsumerInterceptor.class"));
        try (URLClassLoader loader =
                new URLClassLoader(
                        new URL[] {sqlConnector.toUri().toURL()}, getClass().getClassLoader())) {
            assertThat(InterceptorClasses.of(loader))
                    .isEqualTo("dev.sluice.flink.kafka.shaded.RecordInterceptor");
        }
    }

    @Test
    void ourClassMayBeOneOfSeveral() {
        assertThat(InterceptorClasses.nameOurs("a.B, " + RecordInterceptor.class.getName()))
                .isTrue();
        assertThat(InterceptorClasses.nameOurs("a.B")).isFalse();
        assertThat(InterceptorClasses.nameOurs(null)).isFalse();
    }
}
