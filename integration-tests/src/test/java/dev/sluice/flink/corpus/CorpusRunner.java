package dev.sluice.flink.corpus;

import dev.sluice.flink.engine.Engine;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * {@code ./dev corpus DIR [--engine native|java]}: runs every case of a directory, prints a line
 * per failing case and the count.
 */
public final class CorpusRunner {
    private CorpusRunner() {}

    public static void main(String[] arguments) throws IOException {
        Engine engine = Engine.NATIVE;
        Path directory = null;
        for (int i = 0; i < arguments.length; i++) {
            if (arguments[i].equals("--engine") && i + 1 < arguments.length) {
                engine = Engine.valueOf(arguments[++i].toUpperCase(Locale.ROOT));
            } else {
                directory = Path.of(arguments[i]);
            }
        }
        if (directory == null) {
            System.err.println("corpus DIR [--engine native|java]");
            System.exit(2);
        }
        System.exit(run(Case.allOf(directory), new CaseRun(engine)) ? 0 : 1);
    }

    private static boolean run(List<Case> cases, CaseRun run) {
        int failed = 0;
        for (Case one : cases) {
            Outcome outcome = run.run(one);
            if (!outcome.isPassed()) {
                failed++;
                System.out.println("FAIL " + one.name() + ": " + outcome);
            } else if (outcome.isWarning()) {
                System.out.println("warning " + one.name() + ": " + outcome);
            }
        }
        System.out.printf("%d passed, %d failed, 0 skipped%n", cases.size() - failed, failed);
        return failed == 0 && !cases.isEmpty();
    }
}
