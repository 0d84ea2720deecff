package dev.sluice.flink.schema;

import com.google.protobuf.ByteString;

import java.nio.charset.StandardCharsets;

/**
 * Splits a schema text into tokens, one ahead of the parser. Never looks back, so its cost is
 * linear in the text. Comments and white space separate tokens and are dropped. The lexer takes
 * what protoc's takes; a byte order mark at the start is skipped.
 */
final class Lexer {
    enum Kind {
        WORD,
        /** Decimal, octal or hexadecimal, without sign. */
        INTEGER,
        FLOAT,
        STRING,
        /** Any other single character. */
        SYMBOL,
        END
    }

    private final SourceText source;
    private final String text;
    private int at;

    private Kind kind = Kind.SYMBOL;
    private int start;
    private ByteString bytes = ByteString.EMPTY;

    /** Stands before the first token: {@link #advance} reads it. */
    Lexer(SourceText source) {
        this.source = source;
        this.text = source.text;
        this.at = text.startsWith("\uFEFF") ? 1 : 0;
    }

    Kind kind() {
        return kind;
    }

    /** Offset of the token's first character. */
    int start() {
        return start;
    }

    /** The token as written. */
    String text() {
        return text.substring(start, at);
    }

    /** The bytes that a STRING token stands for. */
    ByteString bytes() {
        return bytes;
    }

    boolean isWord(String word) {
        return kind == Kind.WORD && is(word);
    }

    boolean isSymbol(char symbol) {
        return kind == Kind.SYMBOL && text.charAt(start) == symbol;
    }

    private boolean is(String written) {
        return at - start == written.length() && text.startsWith(written, start);
    }

    void advance() throws SchemaException {
        skipBlank();
        start = at;
        if (at == text.length()) {
            kind = Kind.END;
            return;
        }
        char c = text.charAt(at);
        if (isLetter(c)) {
            kind = Kind.WORD;
            skipWordCharacters();
        } else if (isDigit(c) || c == '.' && isDigit(peek(1))) {
            number();
        } else if (c == '"' || c == '\'') {
            kind = Kind.STRING;
            string(c);
        } else if (c > ' ' && c < 0x7f) {
            kind = Kind.SYMBOL;
            at++;
        } else {
            throw source.error(at, String.format("character U+%04X outside of a string", (int) c));
        }
    }

    private void skipBlank() throws SchemaException {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == ' ' || c >= '\t' && c <= '\r') {
                at++;
            } else if (c == '/' && peek(1) == '/') {
                int newline = text.indexOf('\n', at);
                at = newline < 0 ? text.length() : newline;
            } else if (c == '/' && peek(1) == '*') {
                int close = text.indexOf("*/", at + 2);
                if (close < 0) {
                    throw source.error(at, "comment without end");
                }
                at = close + 2;
            } else {
                return;
            }
        }
    }

    private void number() throws SchemaException {
        kind = Kind.INTEGER;
        if (text.charAt(at) == '0' && (peek(1) == 'x' || peek(1) == 'X')) {
            at += 2;
            int digits = at;
            while (asciiDigit(peek(0), 16) >= 0) {
                at++;
            }
            if (at == digits) {
                throw source.error(at, "expected hexadecimal digits");
            }
        } else {
            boolean octal = text.charAt(at) == '0' && isDigit(peek(1));
            skipDigits();
            fraction();
            if (octal && (kind == Kind.FLOAT || !isOctal())) {
                throw source.error(start, "a number that starts with 0 is octal");
            }
        }
        if (isLetter(peek(0)) || peek(0) == '.') {
            throw source.error(at, "expected an end of the number");
        }
    }

    private void fraction() throws SchemaException {
        if (peek(0) == '.') {
            kind = Kind.FLOAT;
            at++;
            skipDigits();
        }
        if (peek(0) == 'e' || peek(0) == 'E') {
            kind = Kind.FLOAT;
            at++;
            if (peek(0) == '-' || peek(0) == '+') {
                at++;
            }
            if (!isDigit(peek(0))) {
                throw source.error(at, "expected digits of the exponent");
            }
            skipDigits();
        }
    }

    private boolean isOctal() {
        for (int i = start; i < at; i++) {
            if (text.charAt(i) > '7') {
                return false;
            }
        }
        return true;
    }

    private void string(char quote) throws SchemaException {
        ByteString.Output out = ByteString.newOutput();
        at++;
        int plain = at; // start of the characters not yet copied
        while (true) {
            if (at == text.length() || text.charAt(at) == '\n') {
                throw source.error(start, "string without end on its line");
            }
            char c = text.charAt(at);
            if (c == quote || c == '\\') {
                byte[] run = text.substring(plain, at).getBytes(StandardCharsets.UTF_8);
                out.write(run, 0, run.length);
                at++;
                if (c == quote) {
                    bytes = out.toByteString();
                    return;
                }
                escape(out);
                plain = at;
            } else {
                at++;
            }
        }
    }

    /** Reads one escape; the backslash is behind us. */
    private void escape(ByteString.Output out) throws SchemaException {
        char c = peek(0);
        int simple = "abfnrtv\\?'\"".indexOf(c);
        if (c != 0 && simple >= 0) {
            out.write("\u0007\b\f\n\r\t\u000b\\?'\"".charAt(simple));
            at++;
        } else if (c >= '0' && c <= '7') {
            out.write(digits(8, 3)); // the low 8 bits, as protoc
        } else if (c == 'x' || c == 'X') {
            at++;
            out.write(digits(16, 2));
        } else if (c == 'u' || c == 'U') {
            codePoint(out);
        } else {
            throw source.error(at - 1, "no such escape in a string");
        }
    }

    /** 1 to {@code most} digits. */
    private int digits(int radix, int most) throws SchemaException {
        int value = 0;
        int from = at;
        while (at - from < most && asciiDigit(peek(0), radix) >= 0) {
            value = value * radix + asciiDigit(peek(0), radix);
            at++;
        }
        if (at == from) {
            throw source.error(at, "expected digits of the escape");
        }
        return value;
    }

    private void codePoint(ByteString.Output out) throws SchemaException {
        int escape = at - 1;
        int point = codeUnit();
        if (point >= 0xd800 && point < 0xdc00 && peek(0) == '\\' && peek(1) == 'u') {
            int rewind = at;
            at++;
            int low = codeUnit();
            if (low >= 0xdc00 && low < 0xe000) {
                point = Character.toCodePoint((char) point, (char) low);
            } else {
                at = rewind;
            }
        }
        if (point < 0 || point > 0x10ffff) {
            throw source.error(escape, "no such code point");
        }
        writeUtf8(out, point);
    }

    private int codeUnit() throws SchemaException {
        int length = peek(0) == 'u' ? 4 : 8;
        at++;
        int from = at;
        int value = digits(16, length);
        if (at - from != length) {
            throw source.error(at, "expected " + length + " hexadecimal digits");
        }
        return value;
    }

    /** A lone surrogate gets three bytes like any other code point of its size, as in protoc. */
    private static void writeUtf8(ByteString.Output out, int point) {
        if (point < 0x80) {
            out.write(point);
        } else if (point < 0x800) {
            out.write(0xc0 | point >> 6);
            out.write(0x80 | point & 0x3f);
        } else {
            if (point < 0x10000) {
                out.write(0xe0 | point >> 12);
            } else {
                out.write(0xf0 | point >> 18);
                out.write(0x80 | point >> 12 & 0x3f);
            }
            out.write(0x80 | point >> 6 & 0x3f);
            out.write(0x80 | point & 0x3f);
        }
    }

    /** The character {@code ahead} of the current one, NUL past the end. */
    private char peek(int ahead) {
        return at + ahead < text.length() ? text.charAt(at + ahead) : 0;
    }

    private void skipDigits() {
        while (isDigit(peek(0))) {
            at++;
        }
    }

    private void skipWordCharacters() {
        while (isLetter(peek(0)) || isDigit(peek(0))) {
            at++;
        }
    }

    private static int asciiDigit(char c, int radix) {
        return c < 0x80 ? Character.digit(c, radix) : -1;
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_';
    }
}
