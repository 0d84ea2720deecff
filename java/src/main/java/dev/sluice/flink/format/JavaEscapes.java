package dev.sluice.flink.format;

/**
 * Escapes of Java source in an option that Flink's own format puts between quotes in the code that
 * it generates. A line break or a quote, which would break that code, is taken as it is.
 */
public final class JavaEscapes {
    private static final int HEX = 16;
    private static final int HEX_DIGITS = 4;
    private static final int OCTAL = 8;

    private JavaEscapes() {}

    /**
     * The text that {@code source} stands for between quotes.
     *
     * @throws IllegalArgumentException if an escape is none of Java's
     */
    public static String resolve(String source) {
        return resolveEscapes(resolveUnicode(source));
    }

    /**
     * {@code \\uXXXX} is resolved before anything else is read, unless its backslash is escaped.
     */
    private static String resolveUnicode(String source) {
        StringBuilder out = new StringBuilder(source.length());
        for (int at = 0; at < source.length(); at++) {
            char letter = source.charAt(at);
            if (letter != '\\' || at + 1 == source.length()) {
                out.append(letter);
            } else if (source.charAt(at + 1) != 'u') {
                out.append(letter).append(source.charAt(++at));
            } else {
                do {
                    at++;
                } while (at + 1 < source.length() && source.charAt(at + 1) == 'u');
                out.append((char) hex(source, at + 1));
                at += HEX_DIGITS;
            }
        }
        return out.toString();
    }

    private static int hex(String source, int from) {
        int value = 0;
        for (int at = from; at < from + HEX_DIGITS; at++) {
            int digit = at < source.length() ? Character.digit(source.charAt(at), HEX) : -1;
            if (digit < 0) {
                throw new IllegalArgumentException("'\\u' needs four hexadecimal digits");
            }
            value = HEX * value + digit;
        }
        return value;
    }

    private static String resolveEscapes(String source) {
        StringBuilder out = new StringBuilder(source.length());
        for (int at = 0; at < source.length(); at++) {
            char letter = source.charAt(at);
            if (letter != '\\') {
                out.append(letter);
                continue;
            }
            at++;
            char escape = at < source.length() ? source.charAt(at) : 0;
            int digits = octalDigits(source, at);
            if (digits > 0) {
                out.append((char) Integer.parseInt(source.substring(at, at + digits), OCTAL));
                at += digits - 1;
            } else {
                out.append(resolved(escape));
            }
        }
        return out.toString();
    }

    /** Up to three, as long as they stay below 256. */
    private static int octalDigits(String source, int from) {
        int most = from < source.length() && source.charAt(from) <= '3' ? 3 : 2;
        int count = 0;
        while (count < most
                && from + count < source.length()
                && Character.digit(source.charAt(from + count), OCTAL) >= 0) {
            count++;
        }
        return count;
    }

    private static char resolved(char escape) {
        switch (escape) {
            case 'b':
                return '\b';
            case 't':
                return '\t';
            case 'n':
                return '\n';
            case 'f':
                return '\f';
            case 'r':
                return '\r';
            case '"':
            case '\'':
            case '\\':
                return escape;
            default:
                throw new IllegalArgumentException(
                        escape == 0 ? "'\\' at the end" : "'\\" + escape + "' is no escape");
        }
    }
}
