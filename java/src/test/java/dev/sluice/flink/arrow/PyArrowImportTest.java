package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;

import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Paths;

/** pyarrow imports what the jar exports: both in one process, as a JVM runs inside of Python. */
@Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PyArrowImportTest {
    @Test
    void theExampleOfThePageRuns() throws Exception {
        run("arrow_example.py", classPath());
    }

    @Test
    void everyColumnHasTheRecordsValues() throws Exception {
        assertThat(run("arrow_import.py", classPath())).endsWith("9 rows compared\n");
    }

    private static String classPath() throws URISyntaxException {
        return String.join(
                File.pathSeparator,
                System.getProperty("fat.jar"),
                jarOf(Logger.class), // Flink's, where the jar runs in Flink
                jarOf(org.apache.flink.table.types.logical.RowType.class));
    }

    private static String jarOf(Class<?> type) throws URISyntaxException {
        return Paths.get(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    private static String run(String script, String classPath)
            throws IOException, InterruptedException {
        File file = new File(System.getProperty("python.scripts"), script);
        Process process =
                new ProcessBuilder(System.getProperty("python"), file.getPath(), classPath)
                        .redirectErrorStream(true)
                        .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }
}
