package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.ExtensionRangeOptions;

import dev.sluice.flink.schema.Lexer.Kind;

/**
 * {@code extensions} and {@code reserved} of messages and enums. Ends are exclusive in messages,
 * inclusive in enums. How far {@code max} reaches in a message depends on an option that may come
 * later, so it stands as {@link #OPEN} until {@link #closeOpenEnds}.
 */
final class RangeParser {
    private static final int OPEN = -1;
    private static final int FIELD_NUMBER_MAX = (1 << 29) - 1;

    private RangeParser() {}

    static void extensions(SchemaParser parser, DescriptorProto.Builder message)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        int first = message.getExtensionRangeCount();
        do {
            int start = tokens.requireNumber("the number of an extension");
            message.addExtensionRangeBuilder().setStart(start).setEnd(exclusiveEnd(tokens, start));
        } while (tokens.take(','));
        ExtensionRangeOptions.Builder options = ExtensionRangeOptions.newBuilder();
        parser.bracketedOptions(options);
        for (int i = first; i < message.getExtensionRangeCount(); i++) {
            if (SchemaParser.isPresent(options)) {
                message.getExtensionRangeBuilder(i).setOptions(options);
            }
        }
        tokens.require(';');
    }

    static void reserved(SchemaParser parser, DescriptorProto.Builder message)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        do {
            if (tokens.kind() == Kind.INTEGER) {
                int start = tokens.requireNumber("a field number");
                message.addReservedRangeBuilder()
                        .setStart(start)
                        .setEnd(exclusiveEnd(tokens, start));
            } else {
                message.addReservedName(reservedName(tokens));
            }
        } while (tokens.take(','));
        tokens.require(';');
    }

    static void reserved(SchemaParser parser, EnumDescriptorProto.Builder type)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        do {
            if (tokens.kind() == Kind.INTEGER || tokens.at('-')) {
                int start = tokens.requireSignedNumber("an enum number");
                int end = start;
                if (tokens.take("to")) {
                    end =
                            tokens.take("max")
                                    ? Integer.MAX_VALUE
                                    : tokens.requireSignedNumber("an enum number");
                }
                type.addReservedRangeBuilder().setStart(start).setEnd(end);
            } else {
                type.addReservedName(reservedName(tokens));
            }
        } while (tokens.take(','));
        tokens.require(';');
    }

    /** Editions write the names bare, older files as strings; both are taken everywhere. */
    private static String reservedName(Tokens tokens) throws SchemaException {
        return tokens.kind() == Kind.WORD
                ? tokens.next()
                : tokens.requireString("a number or name to reserve");
    }

    private static int exclusiveEnd(Tokens tokens, int start) throws SchemaException {
        if (!tokens.take("to")) {
            return start + 1;
        }
        return tokens.take("max") ? OPEN : tokens.requireNumber("the end of the range") + 1;
    }

    /** Puts numbers where the ranges of a finished message say {@code max}. */
    static void closeOpenEnds(DescriptorProto.Builder message) {
        int end =
                message.getOptions().getMessageSetWireFormat()
                        ? Integer.MAX_VALUE
                        : FIELD_NUMBER_MAX + 1;
        for (int i = 0; i < message.getExtensionRangeCount(); i++) {
            if (message.getExtensionRange(i).getEnd() == OPEN) {
                message.getExtensionRangeBuilder(i).setEnd(end);
            }
        }
        for (int i = 0; i < message.getReservedRangeCount(); i++) {
            if (message.getReservedRange(i).getEnd() == OPEN) {
                message.getReservedRangeBuilder(i).setEnd(end);
            }
        }
    }
}
