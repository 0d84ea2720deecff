package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.DescriptorProtos.OneofOptions;
import com.google.protobuf.DescriptorProtos.SymbolVisibility;

import java.util.HashSet;
import java.util.Set;

/** The body of a message or group. */
final class MessageParser {
    private final SchemaParser parser;
    private final Tokens tokens;
    private final DescriptorProto.Builder message;
    private final String path;
    private final FieldParser fields;
    private final MessageOptions.Builder options = MessageOptions.newBuilder();

    private MessageParser(SchemaParser parser, DescriptorProto.Builder message, String path) {
        this.parser = parser;
        this.tokens = parser.tokens;
        this.message = message;
        this.path = path;
        this.fields = new FieldParser(parser, message::addNestedTypeBuilder, path);
    }

    /** The rest of a {@code message} statement. */
    static void named(
            SchemaParser parser,
            DescriptorProto.Builder message,
            String outer,
            SymbolVisibility visibility)
            throws SchemaException {
        String name = parser.tokens.requireWord("a message name");
        message.setName(name);
        if (visibility != SymbolVisibility.VISIBILITY_UNSET) {
            message.setVisibility(visibility);
        }
        body(parser, message, SchemaParser.nested(outer, name));
    }

    /** Everything between the braces, and the braces. */
    static void body(SchemaParser parser, DescriptorProto.Builder message, String path)
            throws SchemaException {
        MessageParser body = new MessageParser(parser, message, path);
        parser.tokens.enter();
        parser.tokens.require('{');
        while (!parser.tokens.take('}')) {
            body.statement();
        }
        parser.tokens.leave();
        body.finish();
    }

    private void statement() throws SchemaException {
        SymbolVisibility visibility = parser.visibility();
        if (tokens.take("message")) {
            named(parser, message.addNestedTypeBuilder(), path, visibility);
        } else if (tokens.take("enum")) {
            EnumParser.parse(parser, message.addEnumTypeBuilder(), visibility);
        } else if (tokens.take("extend")) {
            fields.extend(message::addExtensionBuilder);
        } else if (tokens.take("extensions")) {
            RangeParser.extensions(parser, message);
        } else if (tokens.take("reserved")) {
            RangeParser.reserved(parser, message);
        } else if (tokens.take("option")) {
            parser.option(options);
        } else if (tokens.take("oneof")) {
            oneof();
        } else if (!tokens.take(';')) {
            fields.field(message.addFieldBuilder());
        }
    }

    private void oneof() throws SchemaException {
        int index = message.getOneofDeclCount();
        OneofDescriptorProto.Builder oneof = message.addOneofDeclBuilder();
        OneofOptions.Builder oneofOptions = OneofOptions.newBuilder();
        oneof.setName(tokens.requireWord("a oneof name"));
        tokens.require('{');
        while (!tokens.take('}')) {
            if (tokens.take("option")) {
                parser.option(oneofOptions);
            } else if (!tokens.take(';')) {
                fields.member(message.addFieldBuilder().setOneofIndex(index));
            }
        }
        if (SchemaParser.isPresent(oneofOptions)) {
            oneof.setOptions(oneofOptions);
        }
    }

    private void finish() {
        if (SchemaParser.isPresent(options)) {
            message.setOptions(options);
        }
        RangeParser.closeOpenEnds(message);
        addSyntheticOneofs(message);
    }

    /**
     * Gives every proto3 {@code optional} field a oneof of its own, after the real ones: {@code
     * _name}, with as many X in front as it takes to be unique.
     */
    static void addSyntheticOneofs(DescriptorProto.Builder message) {
        Set<String> taken = new HashSet<>();
        for (FieldDescriptorProto field : message.getFieldList()) {
            taken.add(field.getName());
        }
        for (OneofDescriptorProto oneof : message.getOneofDeclList()) {
            taken.add(oneof.getName());
        }
        for (int i = 0; i < message.getFieldCount(); i++) {
            FieldDescriptorProto field = message.getField(i);
            if (!field.getProto3Optional() || field.hasOneofIndex()) {
                continue;
            }
            String plain = field.getName().startsWith("_") ? "" : "_";
            StringBuilder name = new StringBuilder(plain).append(field.getName());
            while (!taken.add(name.toString())) {
                name.insert(0, 'X');
            }
            message.getFieldBuilder(i).setOneofIndex(message.getOneofDeclCount());
            message.addOneofDeclBuilder().setName(name.toString());
        }
    }
}
