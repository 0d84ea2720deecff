package dev.sluice.flink.corpus;

/** What came of one case. */
public final class Outcome {
    private static final int TEXT_MAX = 240;

    private final boolean passed;
    private final String expected;
    private final String got;

    private Outcome(boolean passed, String expected, String got) {
        this.passed = passed;
        this.expected = expected;
        this.got = got;
    }

    static Outcome compared(String expected, String got) {
        return new Outcome(expected.equals(got), expected, got);
    }

    static Outcome passed(String expected, String got) {
        return new Outcome(true, expected, got);
    }

    static Outcome failed(String expected, String got) {
        return new Outcome(false, expected, got);
    }

    public boolean isPassed() {
        return passed;
    }

    /** Whether the case passed with another kind of error than the reference tools reported. */
    boolean isWarning() {
        return passed && !expected.equals(got);
    }

    /** Both texts, from a little before the first difference, cut to a readable length. */
    @Override
    public String toString() {
        int same = 0;
        while (same < Math.min(expected.length(), got.length())
                && expected.charAt(same) == got.charAt(same)) {
            same++;
        }
        int from = same > TEXT_MAX / 2 ? same - TEXT_MAX / 4 : 0;
        return "expected " + cut(expected, from) + ", got " + cut(got, from);
    }

    private static String cut(String text, int from) {
        int end = Math.min(text.length(), from + TEXT_MAX);
        String middle = text.substring(Math.min(from, end), end);
        return (from > 0 ? "..." : "") + middle + (end < text.length() ? "..." : "");
    }
}
