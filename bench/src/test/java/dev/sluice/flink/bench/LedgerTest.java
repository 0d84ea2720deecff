package dev.sluice.flink.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The section of {@code docs/performance.md} that is written by a program. */
class LedgerTest {
    private static final String PAGE =
            "# Ledger\n\nBy hand.\n\n<!-- ./dev bench --record writes from here -->\nold\n"
                    + "<!-- to here -->\n\nHistory.\n";

    @TempDir Path folder;

    @Test
    void keepsARunAndWhatPeopleWroteAroundIt() throws IOException {
        Path run = Files.createDirectory(folder.resolve("run"));
        Path docs = Files.createDirectory(folder.resolve("docs"));
        Files.writeString(docs.resolve("performance.md"), PAGE);
        ResultFile.write(run.resolve("results.json"), rows());
        new Machine(Map.of("cpu", "abacus")).write(run.resolve("machine.json"));
        Files.writeString(run.resolve("decode.svg"), "<svg/>");
        Files.createDirectory(docs.resolve("performance"));
        Files.writeString(docs.resolve("performance/of-another-run.svg"), "<svg/>");
        Ledger.record(run, docs);
        assertThat(docs.resolve("performance/of-another-run.svg")).doesNotExist();
        assertThat(docs.resolve("performance/results.json")).exists();
        assertThat(docs.resolve("performance/machine.json")).exists();
        assertThat(docs.resolve("performance/decode.svg")).exists();
        assertThat(docs.resolve("performance.md"))
                .content()
                .startsWith("# Ledger\n\nBy hand.\n")
                .endsWith("<!-- to here -->\n\nHistory.\n")
                .doesNotContain("old")
                .contains("- cpu: abacus\n")
                .contains("| `native-binary` | 150 (140–155), 374 B, 3.00× | |")
                .contains("| `java-table` | | 100 (90–110), 80 B |")
                .contains("| `native-binary` | `flink` | 3.00 of 3.5 | – of 5.0 | – of 3.3 |");
    }

    @Test
    void refusesAPageWithoutMarks() {
        Ledger ledger = new Ledger(new Machine(Map.of()), rows());
        assertThatThrownBy(() -> ledger.into("# Ledger\n"))
                .hasMessage("the page has no marks for the section");
    }

    private static List<Measurement> rows() {
        return List.of(
                new Measurement("flat", "decode", "flink", 450, 440, 470, 1126, 1.0),
                new Measurement("flat", "decode", "native-binary", 150, 140, 155, 374, 3.0),
                new Measurement("mine", "decode", "java-table", 100, 90, 110, 80, null));
    }
}
