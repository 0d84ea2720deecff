package dev.sluice.flink.schema;

import com.google.protobuf.ByteString;

import java.util.Collections;
import java.util.List;

/** The value of an option as written, before anybody knows the option's type. A tree. */
final class OptionValue {
    enum Kind {
        /** {@code true}, {@code SPEED}, {@code -inf}. */
        WORD,
        NUMBER,
        STRING,
        /** {@code { a: 1 b { } }}: a message in text format. */
        MESSAGE,
        /** {@code [1, 2]}. */
        LIST
    }

    /** A field inside an aggregate. */
    static final class Member {
        final String name;
        final boolean extension; // written in brackets
        final OptionValue value;

        Member(String name, boolean extension, OptionValue value) {
            this.name = name;
            this.extension = extension;
            this.value = value;
        }
    }

    final Kind kind;
    final String text; // WORD, NUMBER: as written, minus included
    final NumberLiteral number; // NUMBER
    final ByteString bytes; // STRING
    final List<Member> members; // MESSAGE
    final List<OptionValue> elements; // LIST

    private OptionValue(
            Kind kind,
            String text,
            NumberLiteral number,
            ByteString bytes,
            List<Member> members,
            List<OptionValue> elements) {
        this.kind = kind;
        this.text = text;
        this.number = number;
        this.bytes = bytes;
        this.members = members;
        this.elements = elements;
    }

    static OptionValue word(String text) {
        return new OptionValue(Kind.WORD, text, null, null, null, null);
    }

    static OptionValue number(String token, boolean negative) {
        return new OptionValue(
                Kind.NUMBER,
                negative ? "-" + token : token,
                new NumberLiteral(token, negative),
                null,
                null,
                null);
    }

    static OptionValue string(ByteString bytes) {
        return new OptionValue(Kind.STRING, null, null, bytes, null, null);
    }

    static OptionValue message(List<Member> members) {
        return new OptionValue(
                Kind.MESSAGE, null, null, null, Collections.unmodifiableList(members), null);
    }

    static OptionValue list(List<OptionValue> elements) {
        return new OptionValue(
                Kind.LIST, null, null, null, null, Collections.unmodifiableList(elements));
    }

    /** A scalar's text: a string without its quotes, a word or number as written. */
    String asText() {
        return kind == Kind.STRING ? bytes.toStringUtf8() : text;
    }

    /** The value of a floating option, or null if this is none. */
    Double asDouble() {
        if (kind == Kind.NUMBER) {
            return number.isDouble() ? number.asDouble() : null;
        }
        return kind == Kind.WORD ? NumberLiteral.named(text) : null;
    }
}
