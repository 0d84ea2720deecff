package dev.sluice.flink.testregistry;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Looks for the secrets of the tests in their reports, logs and output, and fails if one is there
 * or if there is nothing to look through.
 */
public final class SecretScan {
    private SecretScan() {}

    /** Arguments: files and folders. */
    public static void main(String[] arguments) throws IOException {
        List<String> leaks = new ArrayList<>();
        for (String argument : arguments) {
            leaks.addAll(leaks(Path.of(argument)));
        }
        if (!leaks.isEmpty()) {
            System.err.println("a test's secret stands in\n  " + String.join("\n  ", leaks));
            System.exit(1);
        }
    }

    /**
     * The places, {@code file:line}, without what they say.
     *
     * @throws IOException also if there is no byte of output
     */
    static List<String> leaks(Path place) throws IOException {
        List<Path> files;
        try (Stream<Path> found = Files.walk(place)) {
            files = found.filter(Files::isRegularFile).toList();
        }
        List<String> leaks = new ArrayList<>();
        long size = 0;
        for (Path file : files) {
            size += Files.size(file);
            int number = 0;
            // Every byte is a character there: no file is refused for its encoding.
            for (String line : Files.readAllLines(file, StandardCharsets.ISO_8859_1)) {
                number++;
                if (Secret.isIn(line)) {
                    leaks.add(file + ":" + number);
                }
            }
        }
        if (size == 0) {
            throw new IOException("nothing to look through in " + place);
        }
        return leaks;
    }
}
