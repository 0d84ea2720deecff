package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumOptions;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueOptions;
import com.google.protobuf.DescriptorProtos.SymbolVisibility;

/** The rest of an {@code enum} statement. */
final class EnumParser {
    private EnumParser() {}

    static void parse(
            SchemaParser parser, EnumDescriptorProto.Builder type, SymbolVisibility visibility)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        EnumOptions.Builder options = EnumOptions.newBuilder();
        type.setName(tokens.requireWord("an enum name"));
        if (visibility != SymbolVisibility.VISIBILITY_UNSET) {
            type.setVisibility(visibility);
        }
        tokens.require('{');
        while (!tokens.take('}')) {
            if (tokens.take("option")) {
                parser.option(options);
            } else if (tokens.take("reserved")) {
                RangeParser.reserved(parser, type);
            } else if (!tokens.take(';')) {
                value(parser, type.addValueBuilder());
            }
        }
        if (SchemaParser.isPresent(options)) {
            type.setOptions(options);
        }
    }

    private static void value(SchemaParser parser, EnumValueDescriptorProto.Builder value)
            throws SchemaException {
        Tokens tokens = parser.tokens;
        EnumValueOptions.Builder options = EnumValueOptions.newBuilder();
        value.setName(tokens.requireWord("the name of an enum value"));
        tokens.require('=');
        value.setNumber(tokens.requireSignedNumber("an enum number"));
        parser.bracketedOptions(options);
        if (SchemaParser.isPresent(options)) {
            value.setOptions(options);
        }
        tokens.require(';');
    }
}
