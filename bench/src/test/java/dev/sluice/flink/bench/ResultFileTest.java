package dev.sluice.flink.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The form of {@code results.json}, which other programs write and read too. */
class ResultFileTest {
    private static final String ROW =
            "{\"payload\":\"flat\",\"path\":\"decode\",\"contender\":\"native-binary\",\"ns\":144.2,"
                + "\"min\":140.0,\"max\":151.5,\"bytes\":358.0,\"vs_flink\":3.26}";

    @TempDir Path folder;

    @Test
    void holdsOneObjectToALine() throws IOException {
        Path file = folder.resolve("new/results.json");
        ResultFile.write(file, List.of(flat("native-binary", 144.2)));
        assertThat(Files.readString(file)).isEqualTo("[\n" + ROW + "\n]\n");
        assertThat(ResultFile.read(file)).containsExactly(flat("native-binary", 144.2));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "\"path\":\"decode\", | `` | path",
                "\"ns\":144.2 | \"ns\":\"fast\" | fast",
                "\"ns\":144.2 | \"ns\":99.0 | is no measurement",
                "\"min\":140.0 | \"min\":0 | is no measurement",
                "\"bytes\":358.0 | \"bytes\":-1 | is no measurement",
                "\"vs_flink\":3.26 | \"vs_flink\":0 | is no measurement",
                "native-binary | Native Binary | is no measurement",
                "\"max\" | \"most\" | max"
            })
    void refusesAnotherForm(String part, String other, String said) throws IOException {
        Path file = folder.resolve("results.json");
        assertThat(ROW).contains(part);
        Files.writeString(file, "[" + ROW.replace(part, other) + "]");
        assertThatThrownBy(() -> ResultFile.read(file))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(said);
    }

    @Test
    void rowsWithoutFlinkHaveNoRatio() throws IOException {
        Path file = folder.resolve("results.json");
        Files.writeString(file, "[" + ROW.replace("3.26", "null") + "]");
        assertThat(ResultFile.read(file).get(0).vsFlink()).isNull();
    }

    @Test
    void mergedRowsReplaceThoseOfTheSameThing() {
        List<Measurement> merged =
                ResultFile.merge(
                        List.of(flat("java", 250), flat("flink", 470)),
                        List.of(flat("flink", 480), flat("native-arrow", 90)));
        assertThat(merged)
                .containsExactly(flat("flink", 480), flat("java", 250), flat("native-arrow", 90));
    }

    private static Measurement flat(String contender, double nanos) {
        double max = Math.max(nanos, 151.5);
        return new Measurement(
                "flat", "decode", contender, nanos, Math.min(nanos, 140), max, 358, 3.26);
    }
}
