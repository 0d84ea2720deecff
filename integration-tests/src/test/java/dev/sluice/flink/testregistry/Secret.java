package dev.sluice.flink.testregistry;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/**
 * Passwords and tokens of tests all hold one word. It must not stand in anything that the tests or
 * the product print, log or report, which {@link SecretScan} holds against their whole output.
 */
public final class Secret {
    public static final String WORD = "s3cret";

    private Secret() {}

    /** What betrays the word: itself, and what is left of it in base64 wherever it begins. */
    public static List<String> traces() {
        List<String> traces = new ArrayList<>(List.of(WORD));
        for (int before = 0; before < 3; before++) {
            byte[] text = new byte[before + WORD.length()];
            Arrays.fill(text, (byte) 'x');
            byte[] word = WORD.getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(word, 0, text, before, word.length);
            // A digit is 6 bits of 8: those that hold bits of other bytes are cut off.
            int from = (before * 8 + 5) / 6;
            int to = text.length * 8 / 6;
            traces.add(Base64.getEncoder().encodeToString(text).substring(from, to));
        }
        return traces;
    }

    /** True if the text shows the word or what is left of it. */
    public static boolean isIn(String text) {
        return traces().stream().anyMatch(text::contains);
    }
}
