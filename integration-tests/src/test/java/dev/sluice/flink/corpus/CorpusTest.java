package dev.sluice.flink.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.Engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** The project's own corpus. What is not built yet is named in a list that can only shrink. */
class CorpusTest {
    private static final Path CORPUS = Path.of(System.getProperty("corpus"));

    static List<Case> cases() throws IOException {
        return Case.allOf(CORPUS);
    }

    private static Set<String> pending() throws IOException {
        return Files.readAllLines(CORPUS.resolveSibling("corpus-pending.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("cases")
    void aCasePassesExactlyIfItIsNotPending(Case one) throws IOException {
        Outcome outcome = new CaseRun(Engine.NATIVE).run(one);

        assertThat(outcome.isPassed()).as("%s", outcome).isEqualTo(!pending().contains(one.name()));
    }

    @Test
    void thePendingListNamesOnlyCasesThatExist() throws IOException {
        assertThat(cases().stream().map(Case::name)).containsAll(pending());
    }
}
