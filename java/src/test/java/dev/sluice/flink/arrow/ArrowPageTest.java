package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

/** The examples of docs/arrow.md are programs that run here or in other tests, word for word. */
class ArrowPageTest {
    private static final Path DOCS = Paths.get(System.getProperty("sluice.docs"));

    @Test
    void theJavaExampleRuns() throws IOException {
        // example
        ArrowTable table =
                ArrowTable.ofText(
                        "syntax = \"proto3\"; message Order { int64 id = 1; string note = 2; }",
                        "Order");
        byte[][] records = {{8, 1, 18, 4, 'r', 'o', 'p', 'e'}, {8}, {8, 3}};
        try (ArrowBatchDecoder decoder = table.decoder();
                ArrowBatch batch = decoder.decode(records)) {
            assertThat(batch.rowCount()).isEqualTo(2);
            for (RefusedRecord refused : batch.refused()) {
                System.out.println(refused); // record 1: [TRUNCATED] …
            }
            ArrowColumn id = batch.columns().get(0);
            assertThat(id.buffers().get(0).getLong(8)).isEqualTo(3);
        }
        // end
        assertShown(
                "java",
                example(source("java/src/test/java/dev/sluice/flink/arrow/ArrowPageTest.java")));
    }

    @Test
    void theExamplesOfOtherTestsAreShown() throws IOException {
        assertShown("python", source("java/src/test/python/arrow_example.py"));
        assertShown("rust", source("rust/arrow/examples/orders.rs"));
    }

    private static void assertShown(String language, String code) throws IOException {
        assertThat(Files.readString(DOCS.resolve("arrow.md")))
                .contains("```" + language + "\n" + code + "```\n");
    }

    private static String source(String file) throws IOException {
        return Files.readString(DOCS.resolveSibling(file));
    }

    private static String example(String source) {
        String[] lines = source.split("// example\n|        // end\n");
        return lines[1].replaceAll("(?m)^ {8}", "");
    }
}
