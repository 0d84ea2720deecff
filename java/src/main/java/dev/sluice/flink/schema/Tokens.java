package dev.sluice.flink.schema;

import com.google.protobuf.ByteString;

import dev.sluice.flink.schema.Lexer.Kind;

/**
 * The parser's view of a text: the current token, and the few questions that the grammar asks.
 * {@code at} looks, {@code take} consumes if it is there, {@code require} fails if it is not.
 */
final class Tokens {
    /** Levels of messages, groups and option values inside each other; protoc stops at 32. */
    static final int DEPTH_MAX = 100;

    private static final int SHOWN_MAX = 40;

    private final SourceText source;
    private final Lexer lexer;
    private int depth;

    Tokens(SourceText source) throws SchemaException {
        this.source = source;
        this.lexer = new Lexer(source);
        lexer.advance();
    }

    Kind kind() {
        return lexer.kind();
    }

    /** Offset of the current token, for {@link #error}. */
    int start() {
        return lexer.start();
    }

    boolean atEnd() {
        return lexer.kind() == Kind.END;
    }

    boolean at(String word) {
        return lexer.isWord(word);
    }

    boolean at(char symbol) {
        return lexer.isSymbol(symbol);
    }

    boolean take(String word) throws SchemaException {
        boolean there = at(word);
        if (there) {
            lexer.advance();
        }
        return there;
    }

    boolean take(char symbol) throws SchemaException {
        boolean there = at(symbol);
        if (there) {
            lexer.advance();
        }
        return there;
    }

    void require(String word) throws SchemaException {
        if (!take(word)) {
            throw expected("\"" + word + "\"");
        }
    }

    void require(char symbol) throws SchemaException {
        if (!take(symbol)) {
            throw expected("\"" + symbol + "\"");
        }
    }

    /** Consumes any token and gives it as written. */
    String next() throws SchemaException {
        String text = lexer.text();
        lexer.advance();
        return text;
    }

    String requireWord(String what) throws SchemaException {
        if (lexer.kind() != Kind.WORD) {
            throw expected(what);
        }
        return next();
    }

    /** {@code a.b.c}, with or without leading dot. */
    String requireDottedName(String what) throws SchemaException {
        StringBuilder name = new StringBuilder();
        if (take('.')) {
            name.append('.');
        }
        name.append(requireWord(what));
        while (take('.')) {
            name.append('.').append(requireWord(what));
        }
        return name.toString();
    }

    /** One string, which may be written in pieces side by side. */
    ByteString requireBytes(String what) throws SchemaException {
        if (lexer.kind() != Kind.STRING) {
            throw expected(what);
        }
        ByteString.Output pieces = ByteString.newOutput();
        while (lexer.kind() == Kind.STRING) {
            byte[] piece = lexer.bytes().toByteArray();
            pieces.write(piece, 0, piece.length);
            lexer.advance();
        }
        return pieces.toByteString();
    }

    String requireString(String what) throws SchemaException {
        return requireBytes(what).toStringUtf8();
    }

    /** An integer from 0 to 2147483647. */
    int requireNumber(String what) throws SchemaException {
        return (int) requireInteger(what, false);
    }

    /** An integer of 32 bits with sign. */
    int requireSignedNumber(String what) throws SchemaException {
        return (int) requireInteger(what, take('-'));
    }

    private long requireInteger(String what, boolean negative) throws SchemaException {
        if (lexer.kind() != Kind.INTEGER) {
            throw expected(what);
        }
        NumberLiteral literal = new NumberLiteral(lexer.text(), negative);
        if (!literal.fits(-(1L << 31), Integer.MAX_VALUE)) {
            throw expected(what + " of 32 bits");
        }
        lexer.advance();
        return literal.value();
    }

    /** Goes one level down; {@link #leave} comes back up. Bounds the recursion of the parser. */
    void enter() throws SchemaException {
        if (++depth > DEPTH_MAX) {
            throw error(start(), "more than " + DEPTH_MAX + " levels inside each other");
        }
    }

    void leave() {
        depth--;
    }

    SchemaException expected(String what) {
        String found = atEnd() ? "the end" : "\"" + shown(lexer.text()) + "\"";
        return error(start(), "expected " + what + " but found " + found);
    }

    SchemaException error(int offset, String reason) {
        return source.error(offset, reason);
    }

    private static String shown(String text) {
        return text.length() <= SHOWN_MAX ? text : text.substring(0, SHOWN_MAX) + "...";
    }
}
