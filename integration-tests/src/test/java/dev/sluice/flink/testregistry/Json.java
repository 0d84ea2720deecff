package dev.sluice.flink.testregistry;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** JSON as maps, lists, strings, numbers, booleans and null; enough for a registry. */
final class Json {
    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** One whole value; {@link IllegalArgumentException} if the text is anything else. */
    static Object read(String text) {
        Json json = new Json(text);
        Object value = json.value();
        json.skipBlanks();
        if (json.at != text.length()) {
            throw json.malformed();
        }
        return value;
    }

    private Object value() {
        switch (peek()) {
            case '{':
                return members();
            case '[':
                return elements();
            case '"':
                return string();
            default:
                return literal();
        }
    }

    private Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        at++;
        while (!skips('}')) {
            if (!members.isEmpty()) {
                require(',');
            }
            peek();
            String name = string();
            require(':');
            members.put(name, value());
        }
        return members;
    }

    private List<Object> elements() {
        List<Object> elements = new ArrayList<>();
        at++;
        while (!skips(']')) {
            if (!elements.isEmpty()) {
                require(',');
            }
            elements.add(value());
        }
        return elements;
    }

    private String string() {
        if (text.charAt(at++) != '"') {
            throw malformed();
        }
        StringBuilder string = new StringBuilder();
        while (true) {
            if (at >= text.length()) {
                throw malformed();
            }
            char c = text.charAt(at++);
            if (c == '"') {
                return string.toString();
            }
            string.append(c == '\\' ? escaped() : c);
        }
    }

    private char escaped() {
        char c = text.charAt(at++);
        switch (c) {
            case 'n':
                return '\n';
            case 't':
                return '\t';
            case 'r':
                return '\r';
            case 'b':
                return '\b';
            case 'f':
                return '\f';
            case 'u':
                at += 4;
                return (char) Integer.parseInt(text.substring(at - 4, at), 16);
            default:
                return c;
        }
    }

    private Object literal() {
        int start = at;
        while (at < text.length() && ",]} \n\r\t".indexOf(text.charAt(at)) < 0) {
            at++;
        }
        String literal = text.substring(start, at);
        switch (literal) {
            case "true":
                return true;
            case "false":
                return false;
            case "null":
                return null;
            default:
                try {
                    return new BigDecimal(literal);
                } catch (NumberFormatException e) {
                    throw malformed();
                }
        }
    }

    private void skipBlanks() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
    }

    private char peek() {
        skipBlanks();
        if (at == text.length()) {
            throw malformed();
        }
        return text.charAt(at);
    }

    private boolean skips(char c) {
        boolean found = peek() == c;
        at += found ? 1 : 0;
        return found;
    }

    private void require(char c) {
        if (!skips(c)) {
            throw malformed();
        }
    }

    private IllegalArgumentException malformed() {
        return new IllegalArgumentException("malformed JSON at character " + at);
    }

    static String write(Object value) {
        StringBuilder out = new StringBuilder();
        write(value, out);
        return out.toString();
    }

    private static void write(Object value, StringBuilder out) {
        if (value instanceof Map<?, ?> members) {
            String separator = "{";
            for (Map.Entry<?, ?> member : members.entrySet()) {
                out.append(separator);
                quote(member.getKey().toString(), out);
                out.append(':');
                write(member.getValue(), out);
                separator = ",";
            }
            out.append(members.isEmpty() ? "{}" : "}");
        } else if (value instanceof List<?> elements) {
            String separator = "[";
            for (Object element : elements) {
                out.append(separator);
                write(element, out);
                separator = ",";
            }
            out.append(elements.isEmpty() ? "[]" : "]");
        } else if (value instanceof String string) {
            quote(string, out);
        } else {
            out.append(value);
        }
    }

    private static void quote(String string, StringBuilder out) {
        out.append('"');
        for (char c : string.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < ' ' || c > '~') {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        out.append('"');
    }
}
