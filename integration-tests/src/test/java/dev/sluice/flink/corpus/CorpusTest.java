package dev.sluice.flink.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.Engine;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The project's own corpus, with both engines. What is not built yet is named in a list that can
 * only shrink, by the name of the case, and of the engine if only one lacks it.
 */
class CorpusTest {
    private static final Path CORPUS = Path.of(System.getProperty("corpus"));
    private static final List<Engine> ENGINES = List.of(Engine.NATIVE, Engine.JAVA);

    private static List<Case> cases() throws IOException {
        return Case.allOf(CORPUS);
    }

    static List<Arguments> casesWithEngines() throws IOException {
        return cases().stream()
                .flatMap(one -> ENGINES.stream().map(engine -> Arguments.of(one, engine)))
                .collect(Collectors.toList());
    }

    private static Set<String> pending() throws IOException {
        return Files.readAllLines(CORPUS.resolveSibling("corpus-pending.txt")).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .collect(Collectors.toSet());
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("casesWithEngines")
    void aCasePassesExactlyIfItIsNotPending(Case one, Engine engine) throws IOException {
        Outcome outcome = new CaseRun(engine).run(one);

        Set<String> pending = pending();
        boolean isPending =
                pending.contains(one.name()) || pending.contains(one.name() + " " + engine);
        assertThat(outcome.isPassed()).as("%s", outcome).isEqualTo(!isPending);
    }

    @Test
    void thePendingListNamesOnlyCasesThatExist() throws IOException {
        assertThat(cases().stream().map(Case::name))
                .containsAll(
                        pending().stream()
                                .map(line -> line.split(" ")[0])
                                .collect(Collectors.toSet()));
    }
}
