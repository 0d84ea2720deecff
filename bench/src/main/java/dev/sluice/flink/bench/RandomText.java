package dev.sluice.flink.bench;

import java.util.Random;

/** Texts of records: the same on every run. */
final class RandomText {
    private static final int ONE_IN_NOT_ASCII = 20;

    private static final String[] FOREIGN = {"größer", "élève", "данные", "表格", "λόγος", "😀"};

    private final Random random;

    RandomText(Random random) {
        this.random = random;
    }

    /** Small letters. */
    String ascii(int lengthMin, int lengthMax) {
        int length = lengthMin + random.nextInt(lengthMax - lengthMin + 1);
        StringBuilder text = new StringBuilder(length);
        for (int i = 0; i < length; i++) {
            text.append((char) ('a' + random.nextInt(26)));
        }
        return text.toString();
    }

    /** The same, but one text of twenty has longer characters in it. */
    String mostlyAscii(int lengthMin, int lengthMax) {
        String text = ascii(lengthMin, lengthMax);
        return random.nextInt(ONE_IN_NOT_ASCII) == 0
                ? text.substring(0, text.length() / 2) + "é漢"
                : text;
    }

    /** Words of several scripts, one of eight not of ASCII; lengths are in characters. */
    String words(int lengthMin, int lengthMax) {
        int length = lengthMin + random.nextInt(lengthMax - lengthMin + 1);
        StringBuilder words = new StringBuilder(length + 16);
        while (words.length() < length) {
            boolean isForeign = random.nextInt(8) == 0;
            words.append(isForeign ? FOREIGN[random.nextInt(FOREIGN.length)] : ascii(2, 10));
            words.append(' ');
        }
        return words.toString();
    }
}
