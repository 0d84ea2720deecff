package dev.sluice.flink.schema;

import dev.sluice.flink.schema.Lexer.Kind;

import java.util.ArrayList;
import java.util.List;

/**
 * The grammar of options. An option's value may be a scalar, an aggregate in text format, or
 * (beyond protoc, as registries print it) a list. What an option means is {@link OptionSetter}'s.
 */
final class OptionParser {
    private final Tokens tokens;

    OptionParser(Tokens tokens) {
        this.tokens = tokens;
    }

    /** {@code name = value}. */
    Option option() throws SchemaException {
        int at = tokens.start();
        List<Option.Part> name = new ArrayList<>();
        do {
            if (tokens.take('(')) {
                name.add(new Option.Part(tokens.requireDottedName("an option name"), true));
                tokens.require(')');
            } else {
                name.add(new Option.Part(tokens.requireWord("an option name"), false));
            }
        } while (tokens.take('.'));
        tokens.require('=');
        return new Option(at, name, value());
    }

    private OptionValue value() throws SchemaException {
        if (tokens.at('{') || tokens.at('<')) {
            return message();
        }
        if (tokens.at('[')) {
            return list();
        }
        return scalar();
    }

    private OptionValue scalar() throws SchemaException {
        if (tokens.kind() == Kind.STRING) {
            return OptionValue.string(tokens.requireBytes("a string"));
        }
        boolean negative = tokens.take('-');
        if (!negative) {
            tokens.take('+');
        }
        if (tokens.kind() == Kind.INTEGER || tokens.kind() == Kind.FLOAT) {
            return OptionValue.number(tokens.next(), negative);
        }
        String word = tokens.requireWord("an option value");
        return OptionValue.word(negative ? "-" + word : word);
    }

    private OptionValue message() throws SchemaException {
        tokens.enter();
        char close = tokens.take('<') ? '>' : '}';
        if (close == '}') {
            tokens.require('{');
        }
        List<OptionValue.Member> members = new ArrayList<>();
        while (!tokens.take(close)) {
            members.add(member());
            if (!tokens.take(',')) {
                tokens.take(';');
            }
        }
        tokens.leave();
        return OptionValue.message(members);
    }

    private OptionValue.Member member() throws SchemaException {
        String name;
        boolean extension = tokens.take('[');
        if (extension) {
            name = bracketedName();
        } else if (tokens.kind() == Kind.STRING) {
            name = tokens.requireString("a field name");
        } else {
            name = tokens.requireWord("a field name or the end of the aggregate");
        }
        if (!tokens.take(':') && !tokens.at('{') && !tokens.at('<') && !tokens.at('[')) {
            throw tokens.expected("\":\" and a value");
        }
        return new OptionValue.Member(name, extension, value());
    }

    /** {@code [a.b.extension]} or {@code [host/a.b.Message]}. */
    private String bracketedName() throws SchemaException {
        StringBuilder name = new StringBuilder();
        do {
            if (tokens.kind() == Kind.STRING || tokens.atEnd()) {
                throw tokens.expected("\"]\"");
            }
            name.append(tokens.next());
        } while (!tokens.take(']'));
        return name.toString();
    }

    private OptionValue list() throws SchemaException {
        tokens.enter();
        tokens.require('[');
        List<OptionValue> elements = new ArrayList<>();
        while (!tokens.take(']')) {
            elements.add(value());
            if (!tokens.take(',') && !tokens.at(']')) {
                throw tokens.expected("\",\" or \"]\"");
            }
        }
        tokens.leave();
        return OptionValue.list(elements);
    }
}
