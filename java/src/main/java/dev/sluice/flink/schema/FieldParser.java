package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FieldOptions;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Fields of messages, oneofs and extend blocks, with the messages that they bring along: a group's
 * body and the entry of a {@code map<>}. A proto2 field without label, which protoc refuses, is
 * optional.
 */
final class FieldParser {
    private static final Map<String, Type> SCALARS = scalars();

    private final SchemaParser parser;
    private final Tokens tokens;
    private final Supplier<DescriptorProto.Builder> addMessage;
    private final String path;

    /**
     * @param addMessage adds a message next to the fields, for groups and map entries
     * @param path of the message around the fields, without package; empty at the top
     */
    FieldParser(SchemaParser parser, Supplier<DescriptorProto.Builder> addMessage, String path) {
        this.parser = parser;
        this.tokens = parser.tokens;
        this.addMessage = addMessage;
        this.path = path;
    }

    private static Map<String, Type> scalars() {
        Map<String, Type> scalars = new HashMap<>();
        for (Type type : Type.values()) {
            if (type != Type.TYPE_MESSAGE && type != Type.TYPE_GROUP && type != Type.TYPE_ENUM) {
                String name = type.name().substring("TYPE_".length());
                scalars.put(name.toLowerCase(Locale.ROOT), type);
            }
        }
        return scalars;
    }

    /** A field of a message. */
    void field(FieldDescriptorProto.Builder field) throws SchemaException {
        boolean labelled = label(field);
        typeAndRest(field, !labelled);
    }

    /** A member of a oneof: no label, no map. */
    void member(FieldDescriptorProto.Builder field) throws SchemaException {
        if (tokens.at("optional") || tokens.at("repeated") || tokens.at("required")) {
            throw tokens.error(tokens.start(), "a oneof member has no label");
        }
        field.setLabel(Label.LABEL_OPTIONAL);
        typeAndRest(field, false);
    }

    /** The rest of an {@code extend} statement. */
    void extend(Supplier<FieldDescriptorProto.Builder> addExtension) throws SchemaException {
        String extendee = tokens.requireDottedName("a message name");
        tokens.require('{');
        while (!tokens.take('}')) {
            if (!tokens.take(';')) {
                FieldDescriptorProto.Builder extension = addExtension.get().setExtendee(extendee);
                label(extension);
                typeAndRest(extension, false);
            }
        }
    }

    /** Reads the label; false if there is none. */
    private boolean label(FieldDescriptorProto.Builder field) throws SchemaException {
        boolean optional = tokens.at("optional");
        if (tokens.at("required") && !parser.isProto2()) {
            throw tokens.error(tokens.start(), "required fields are of proto2 only");
        }
        Label label =
                tokens.at("repeated")
                        ? Label.LABEL_REPEATED
                        : tokens.at("required") ? Label.LABEL_REQUIRED : Label.LABEL_OPTIONAL;
        field.setLabel(label);
        if (optional && parser.isProto3()) {
            field.setProto3Optional(true);
        }
        if (!optional && label == Label.LABEL_OPTIONAL) {
            return false;
        }
        tokens.next();
        return true;
    }

    private void typeAndRest(FieldDescriptorProto.Builder field, boolean mapAllowed)
            throws SchemaException {
        int at = tokens.start();
        if (tokens.at("group") && !parser.isEditions()) {
            tokens.next();
            group(field);
            return;
        }
        MapTypes map = null;
        String word = tokens.at('.') ? null : tokens.requireWord("a field type");
        if (word == null) {
            field.setTypeName(tokens.requireDottedName("a field type"));
        } else if (word.equals("map") && tokens.at('<')) {
            if (!mapAllowed) {
                throw tokens.error(at, "a map field has no label and stands in no oneof or extend");
            }
            map = mapTypes();
            field.setLabel(Label.LABEL_REPEATED);
        } else {
            setType(field, word);
        }
        field.setName(tokens.requireWord("a field name"));
        tokens.require('=');
        field.setNumber(tokens.requireNumber("a field number"));
        options(field);
        tokens.require(';');
        if (map != null) {
            mapEntry(field, map);
        }
    }

    /** The type that starts with {@code word}, which has been read. */
    private void setType(FieldDescriptorProto.Builder field, String word) throws SchemaException {
        Type scalar = SCALARS.get(word);
        if (scalar != null) {
            field.setType(scalar);
            return;
        }
        // Message or enum: the linker knows.
        field.setTypeName(
                tokens.take('.') ? word + "." + tokens.requireDottedName("a type name") : word);
    }

    private void options(FieldDescriptorProto.Builder field) throws SchemaException {
        if (!tokens.take('[')) {
            return;
        }
        FieldOptions.Builder options = FieldOptions.newBuilder();
        while (!tokens.take(']')) {
            if (tokens.take("default")) {
                tokens.require('=');
                DefaultText.read(tokens, field);
                if (parser.isProto3()) {
                    field.clearDefaultValue(); // proto3 has none, and registries drop it
                }
            } else if (tokens.take("json_name")) {
                tokens.require('=');
                field.setJsonName(tokens.requireString("a string"));
            } else {
                parser.bracketedOption(options);
            }
            if (!tokens.take(',') && !tokens.at(']')) {
                throw tokens.expected("\",\" or \"]\"");
            }
        }
        if (SchemaParser.isPresent(options)) {
            field.setOptions(options);
        }
    }

    private void group(FieldDescriptorProto.Builder field) throws SchemaException {
        String name = tokens.requireWord("a group name");
        field.setName(name.toLowerCase(Locale.ROOT)).setType(Type.TYPE_GROUP).setTypeName(name);
        tokens.require('=');
        field.setNumber(tokens.requireNumber("a field number"));
        options(field);
        String groupPath = SchemaParser.nested(path, name);
        parser.markUnwritten(groupPath);
        MessageParser.body(parser, addMessage.get().setName(name), groupPath);
    }

    /** The types between the angle brackets, as fields that lack everything else. */
    private static final class MapTypes {
        final FieldDescriptorProto.Builder key = FieldDescriptorProto.newBuilder();
        final FieldDescriptorProto.Builder value = FieldDescriptorProto.newBuilder();
    }

    private MapTypes mapTypes() throws SchemaException {
        MapTypes types = new MapTypes();
        tokens.require('<');
        int at = tokens.start();
        setType(types.key, tokens.requireWord("a key type"));
        switch (types.key.getType()) {
            case TYPE_DOUBLE: // also what a named type has
            case TYPE_FLOAT:
            case TYPE_BYTES:
                throw tokens.error(at, "expected an integer type, bool or string as key type");
            default:
                break;
        }
        tokens.require(',');
        if (tokens.at('.')) {
            types.value.setTypeName(tokens.requireDottedName("a value type"));
        } else {
            setType(types.value, tokens.requireWord("a value type"));
        }
        tokens.require('>');
        return types;
    }

    /** Adds the entry message, under protoc's name for it. */
    private void mapEntry(FieldDescriptorProto.Builder field, MapTypes types) {
        String name = entryName(field.getName());
        field.setTypeName(name);
        types.key.setName("key").setNumber(1).setLabel(Label.LABEL_OPTIONAL);
        types.value.setName("value").setNumber(2).setLabel(Label.LABEL_OPTIONAL);
        if (field.getOptions().hasFeatures()) {
            FieldOptions.Builder features =
                    FieldOptions.newBuilder().setFeatures(field.getOptions().getFeatures());
            types.key.setOptions(features);
            types.value.setOptions(features);
        }
        DescriptorProto.Builder entry = addMessage.get().setName(name);
        entry.addField(types.key).addField(types.value);
        entry.getOptionsBuilder().setMapEntry(true);
        parser.markUnwritten(SchemaParser.nested(path, name));
    }

    /** {@code foo_bar} to {@code FooBarEntry}. */
    private static String entryName(String field) {
        StringBuilder name = new StringBuilder();
        boolean upper = true;
        for (int i = 0; i < field.length(); i++) {
            char c = field.charAt(i);
            if (c != '_') {
                name.append(upper ? Character.toUpperCase(c) : c);
            }
            upper = c == '_';
        }
        return name.append("Entry").toString();
    }
}
