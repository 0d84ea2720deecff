package dev.sluice.flink.schema;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;

import dev.sluice.flink.schema.Lexer.Kind;

/** The value of {@code [default = ...]}, turned into the text that protoc's descriptors hold. */
final class DefaultText {
    private DefaultText() {}

    /** Reads the value for the field's type, which is known by now, and sets it. */
    static void read(Tokens tokens, FieldDescriptorProto.Builder field) throws SchemaException {
        if (!field.hasType()) {
            field.setDefaultValue(tokens.requireWord("the name of an enum value"));
            return;
        }
        switch (field.getType()) {
            case TYPE_STRING:
                // Bytes, since a default may break UTF-8.
                field.setDefaultValueBytes(tokens.requireBytes("a string"));
                break;
            case TYPE_BYTES:
                field.setDefaultValue(escape(tokens.requireBytes("a string")));
                break;
            case TYPE_BOOL:
                if (!tokens.at("true") && !tokens.at("false")) {
                    throw tokens.expected("true or false");
                }
                field.setDefaultValue(tokens.next());
                break;
            case TYPE_FLOAT:
                field.setDefaultValue(FloatText.of((float) floating(tokens)));
                break;
            case TYPE_DOUBLE:
                field.setDefaultValue(FloatText.of(floating(tokens)));
                break;
            case TYPE_GROUP:
                throw tokens.error(tokens.start(), "a group has no default");
            default:
                field.setDefaultValue(integer(tokens, field.getType()));
                break;
        }
    }

    private static double floating(Tokens tokens) throws SchemaException {
        int at = tokens.start();
        boolean negative = tokens.take('-');
        if (tokens.kind() == Kind.WORD) {
            Double named = NumberLiteral.named(tokens.next());
            if (named != null) {
                return negative ? -named : named;
            }
        } else if (tokens.kind() == Kind.INTEGER || tokens.kind() == Kind.FLOAT) {
            NumberLiteral literal = new NumberLiteral(tokens.next(), negative);
            if (literal.isDouble()) {
                return literal.asDouble();
            }
        }
        throw tokens.error(at, "expected a number, inf or nan");
    }

    private static String integer(Tokens tokens, FieldDescriptorProto.Type type)
            throws SchemaException {
        boolean negative = tokens.take('-');
        if (tokens.kind() != Kind.INTEGER) {
            throw tokens.expected("an integer");
        }
        int at = tokens.start();
        NumberLiteral literal = new NumberLiteral(tokens.next(), negative);
        boolean fits;
        switch (type) {
            case TYPE_UINT32:
            case TYPE_FIXED32:
                fits = literal.fitsUnsigned(0xffffffffL);
                break;
            case TYPE_UINT64:
            case TYPE_FIXED64:
                fits = literal.fitsUnsigned(-1L);
                break;
            case TYPE_INT64:
            case TYPE_SINT64:
            case TYPE_SFIXED64:
                fits = literal.fits(Long.MIN_VALUE, Long.MAX_VALUE);
                break;
            default:
                fits = literal.fits(Integer.MIN_VALUE, Integer.MAX_VALUE);
                break;
        }
        if (!fits) {
            throw tokens.error(at, "a default out of the field's range");
        }
        return negative ? Long.toString(literal.value()) : Long.toUnsignedString(literal.value());
    }

    /** C's escapes, everything that is not printable ASCII in octal. */
    private static String escape(ByteString bytes) {
        StringBuilder text = new StringBuilder(bytes.size());
        for (byte signed : bytes) {
            int octet = signed & 0xff;
            int named = "\n\r\t\"'\\".indexOf(octet);
            if (named >= 0) {
                text.append('\\').append("nrt\"'\\".charAt(named));
            } else if (octet >= ' ' && octet < 0x7f) {
                text.append((char) octet);
            } else {
                text.append('\\').append((char) ('0' + (octet >> 6)));
                text.append((char) ('0' + (octet >> 3 & 7))).append((char) ('0' + (octet & 7)));
            }
        }
        return text.toString();
    }
}
