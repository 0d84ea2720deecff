package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.Edition;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileOptions;
import com.google.protobuf.DescriptorProtos.SymbolVisibility;
import com.google.protobuf.Message;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Schema text to unlinked descriptor: the statements of a file, and what its parts share.
 *
 * <p>A text that protoc takes gives the descriptor that protoc would write, but for type names (as
 * written here, absolute there), options that {@link OptionSetter} skips, and {@code json_name}
 * (here only if written). Beyond protoc it takes what registries hold; whatever contradicts itself
 * across statements is left for the linker to find. Recursive descent, bounded by {@link
 * Tokens#DEPTH_MAX}, linear in the text.
 */
final class SchemaParser {
    final Tokens tokens;
    private final OptionParser options;
    private final FileDescriptorProto.Builder file = FileDescriptorProto.newBuilder();
    private final FileOptions.Builder fileOptions = FileOptions.newBuilder();
    private final Set<String> unwritten = new HashSet<>();
    private final Map<String, Integer> importIndexes = new HashMap<>();
    private Edition edition = Edition.EDITION_PROTO2;

    SchemaParser(SourceText source) throws SchemaException {
        tokens = new Tokens(source);
        options = new OptionParser(tokens);
    }

    ParsedSchema file() throws SchemaException {
        edition();
        while (!tokens.atEnd()) {
            statement();
        }
        if (isPresent(fileOptions)) {
            file.setOptions(fileOptions);
        }
        return new ParsedSchema(file.build(), unwritten);
    }

    boolean isProto2() {
        return edition == Edition.EDITION_PROTO2;
    }

    boolean isProto3() {
        return edition == Edition.EDITION_PROTO3;
    }

    boolean isEditions() {
        return !isProto2() && !isProto3();
    }

    /** A file without first line is proto2, as for protoc. */
    private void edition() throws SchemaException {
        boolean named = tokens.at("edition");
        if (!named && !tokens.at("syntax")) {
            return;
        }
        tokens.next();
        tokens.require('=');
        int at = tokens.start();
        String value = tokens.requireString("a string");
        tokens.require(';');
        switch (value) {
            case "proto2":
                break;
            case "proto3":
                edition = Edition.EDITION_PROTO3;
                file.setSyntax("proto3");
                break;
            case "2023":
                edition = Edition.EDITION_2023;
                break;
            case "2024":
                edition = Edition.EDITION_2024;
                break;
            default:
                edition = Edition.EDITION_UNKNOWN;
                break;
        }
        if (edition == Edition.EDITION_UNKNOWN || named != isEditions()) {
            String known = named ? "edition \"2023\" or \"2024\"" : "\"proto2\" or \"proto3\"";
            throw tokens.error(at, "expected " + known + " but found \"" + value + "\"");
        }
        if (named) {
            file.setSyntax("editions").setEdition(edition);
        }
    }

    private void statement() throws SchemaException {
        SymbolVisibility visibility = visibility();
        if (tokens.take("message")) {
            DescriptorProto.Builder message = file.addMessageTypeBuilder();
            MessageParser.named(this, message, "", visibility);
        } else if (tokens.take("enum")) {
            EnumParser.parse(this, file.addEnumTypeBuilder(), visibility);
        } else if (tokens.take("service")) {
            ServiceParser.parse(this, file.addServiceBuilder());
        } else if (tokens.take("extend")) {
            FieldParser fields = new FieldParser(this, file::addMessageTypeBuilder, "");
            fields.extend(file::addExtensionBuilder);
        } else if (tokens.take("import")) {
            importLine();
        } else if (tokens.take("package")) {
            if (file.hasPackage()) {
                throw tokens.error(tokens.start(), "a second package");
            }
            file.setPackage(tokens.requireDottedName("a package name"));
            tokens.require(';');
        } else if (tokens.take("option")) {
            option(fileOptions);
        } else if (!tokens.take(';')) {
            throw tokens.expected("a statement of a file, such as \"message\",");
        }
    }

    private void importLine() throws SchemaException {
        boolean isPublic = tokens.take("public");
        boolean weak = !isPublic && tokens.take("weak");
        boolean option = !isPublic && !weak && tokens.take("option");
        String path = tokens.requireString("the path of an import");
        tokens.require(';');
        if (option) {
            file.addOptionDependency(path);
            return;
        }
        Integer known = importIndexes.putIfAbsent(path, file.getDependencyCount());
        int index = known == null ? file.getDependencyCount() : known;
        if (known == null) {
            file.addDependency(path);
        }
        if (isPublic) {
            file.addPublicDependency(index);
        } else if (weak) {
            file.addWeakDependency(index);
        }
    }

    /** {@code export} or {@code local} of edition 2024; elsewhere these are ordinary names. */
    SymbolVisibility visibility() throws SchemaException {
        if (edition != Edition.EDITION_2024) {
            return SymbolVisibility.VISIBILITY_UNSET;
        }
        if (tokens.take("export")) {
            return SymbolVisibility.VISIBILITY_EXPORT;
        }
        return tokens.take("local")
                ? SymbolVisibility.VISIBILITY_LOCAL
                : SymbolVisibility.VISIBILITY_UNSET;
    }

    /** The rest of an {@code option} statement. */
    void option(Message.Builder target) throws SchemaException {
        OptionSetter.set(target, options.option(), tokens);
        tokens.require(';');
    }

    /** One option in brackets. */
    void bracketedOption(Message.Builder target) throws SchemaException {
        OptionSetter.set(target, options.option(), tokens);
    }

    /** All options in brackets, if there are any. */
    void bracketedOptions(Message.Builder target) throws SchemaException {
        if (!tokens.take('[')) {
            return;
        }
        while (!tokens.take(']')) {
            bracketedOption(target);
            if (!tokens.take(',') && !tokens.at(']')) {
                throw tokens.expected("\",\" or \"]\"");
            }
        }
    }

    /** Whether anything was kept: options messages are only set if so. */
    static boolean isPresent(Message.Builder options) {
        return !options.getAllFields().isEmpty();
    }

    /** Notes a message that was not written as one. */
    void markUnwritten(String path) {
        unwritten.add(path);
    }

    /** The path of a message inside another: paths have no package. */
    static String nested(String outer, String name) {
        return outer.isEmpty() ? name : outer + "." + name;
    }
}
