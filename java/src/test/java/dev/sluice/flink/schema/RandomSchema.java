package dev.sluice.flink.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A random schema text that protoc accepts (nearly always): every construct of the language in
 * random nesting, spelling and layout. First a tree of empty types is grown, then it is filled, so
 * that fields may refer to any of them, forwards too.
 */
public final class RandomSchema {
    private enum Edition {
        PROTO2("syntax = \"proto2\";"),
        PROTO3("syntax = 'proto3';"),
        EDITION_2023("edition = \"2023\";");

        final String line;

        Edition(String line) {
            this.line = line;
        }
    }

    /** A message or enum of the tree. */
    private static final class Type {
        final Type outer;
        final String name;
        final boolean isEnum;
        final List<Type> inner = new ArrayList<>();
        String firstValue;

        Type(Type outer, String name, boolean isEnum) {
            this.outer = outer;
            this.name = name;
            this.isEnum = isEnum;
        }

        String path() {
            return outer == null ? name : outer.path() + "." + name;
        }
    }

    private final Random random;
    private final RandomValues values;
    private final Edition edition;
    private final boolean editions;
    private final boolean implicit; // editions: no presence by default
    private final String pkg;
    private final List<Type> top = new ArrayList<>();
    private final List<Type> messages = new ArrayList<>();
    private final List<Type> enums = new ArrayList<>();
    private final StringBuilder text = new StringBuilder();
    private int names;
    private String customOption; // the name of a field option that only this file knows

    private RandomSchema(Random random) {
        this.random = random;
        this.values = new RandomValues(random);
        this.edition = Edition.values()[random.nextInt(3)];
        this.editions = edition == Edition.EDITION_2023;
        this.implicit = editions && chance(4);
        // Files of one protoc call share a pool: packages keep them apart.
        this.pkg = "p" + Long.toHexString(random.nextLong()) + (chance(2) ? ".q_1.R2" : "");
    }

    public static String text(Random random) {
        RandomSchema schema = new RandomSchema(random);
        schema.grow();
        schema.file();
        return schema.text.toString();
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    private String fresh(String prefix) {
        return prefix + ++names;
    }

    private void grow() {
        for (int i = 1 + random.nextInt(4); i > 0; i--) {
            grow(null, 0);
        }
    }

    private void grow(Type outer, int depth) {
        boolean isEnum = !messages.isEmpty() && chance(3);
        Type type =
                new Type(outer, fresh(isEnum ? "E" : values.pick("M", "Msg_", "a", "_M")), isEnum);
        (outer == null ? top : outer.inner).add(type);
        (isEnum ? enums : messages).add(type);
        if (isEnum) {
            type.firstValue = fresh("V");
        } else if (depth < 4) {
            for (int i = random.nextInt(3); i > 0; i--) {
                grow(type, depth + 1);
            }
        }
    }

    /** Appends tokens (parted by spaces) with random blanks and comments between them. */
    private void put(String tokens) {
        for (String token : tokens.split(" ")) {
            text.append(token);
            text.append(
                    chance(12)
                            ? values.pick(
                                    "\n", "\t", " /* ; } */ ", " // \"{\n", "\r\n", " /**/", "\f ")
                            : " ");
        }
    }

    private void line(String tokens) {
        put(tokens);
        text.append(chance(5) ? "" : "\n");
    }

    private void file() {
        text.append(chance(8) ? "\uFEFF" : "").append(chance(4) ? "// first\n" : "");
        line(edition.line.replace(" ", chance(2) ? " " : ""));
        line("package " + pkg + " ;");
        line("import \"google/protobuf/timestamp.proto\" ;");
        line("import " + values.pick("", "public ", "weak ") + "'google/type/' \"date.proto\" ;");
        line("import \"google/protobuf/descriptor.proto\" ;");
        line("import \"confluent/meta.proto\" ;");
        if (editions) {
            fileFeatures();
        }
        for (String option : new String[] {"java_package", "go_package", "csharp_namespace"}) {
            if (chance(3)) {
                line("option " + option + " = " + values.string() + " ;");
            }
        }
        if (chance(3)) {
            line("option optimize_for = " + values.pick("SPEED", "CODE_SIZE") + " ;");
        }
        if (chance(3)) {
            line("option (confluent.file_meta) = " + values.meta() + " ;");
        }
        customOptions();
        for (Type type : top) {
            type(type);
            put(chance(6) ? "; ;" : "");
        }
        if (chance(2)) {
            service();
        }
    }

    private void fileFeatures() {
        if (implicit) {
            line("option features.field_presence = IMPLICIT ;");
        }
        if (chance(3)) {
            line("option features.repeated_field_encoding = EXPANDED ;");
        }
        if (chance(3)) {
            line("option features.utf8_validation = NONE ;");
        }
        if (chance(4)) {
            line("option features.message_encoding = DELIMITED ;");
        }
    }

    /** Options that are not known outside the file, and their uses in all forms. */
    private void customOptions() {
        String label = edition == Edition.PROTO2 ? "optional " : "";
        String name = fresh("Opt");
        String extension = fresh("opt");
        line("message " + name + " { " + label + "string s = 1 ; repeated int32 n = 2 ; ");
        line(
                label
                        + name
                        + " o = 3 ; repeated "
                        + name
                        + " os = 4 ; "
                        + label
                        + "double d = 5 ; }");
        for (String target : new String[] {"FileOptions", "FieldOptions", "MessageOptions"}) {
            line("extend google.protobuf." + target + " { " + label + name);
            line(extension + target + " = " + (50000 + random.nextInt(1000)) + " ; }");
        }
        customOption = "(" + (chance(2) ? "." + pkg + "." : "") + extension + "FieldOptions)";
        String file = "option (" + extension + "FileOptions)";
        line(
                file
                        + values.pick(
                                ".s = \"x\" 'y' ;",
                                ".o = { s : 'a' n : [ 1 , 0x2 ] } ;",
                                ".n = 3 ;"));
        line(
                file
                        + values.pick(".d = -inf ;", ".d = 1.5e3 ;", ".o.o.os { } ;")
                                .replace("os {", "os = {"));
    }

    private void type(Type type) {
        if (type.isEnum) {
            enumType(type);
        } else {
            line("message " + type.name + " {");
            body(type);
            line("}");
        }
    }

    private void enumType(Type type) {
        boolean closed = editions && !implicit && chance(3);
        boolean zeroFirst = edition == Edition.PROTO3 || (editions && !closed);
        boolean alias = chance(3);
        line("enum " + type.name + " {");
        put(alias ? "option allow_alias = true ;" : "");
        put(closed ? "option features.enum_type = CLOSED ;" : "");
        put(chance(4) ? "option deprecated = false ; ;" : "");
        int first = zeroFirst ? 0 : random.nextInt(100) - 50;
        line(
                type.firstValue
                        + " = "
                        + values.pick(values.integer(first), values.integer(first))
                        + " ;");
        for (int i = random.nextInt(4); i > 0; i--) {
            String options =
                    chance(3)
                            ? " [ " + values.metaOption("enum_value") + " , deprecated = true ]"
                            : "";
            line(fresh("V") + " = " + values.integer(first + i * 7) + options + " ;");
        }
        put(alias ? fresh("V") + " = " + first + " ;" : "");
        String name = editions ? "gone" : "\"go\" 'ne'";
        line(
                "reserved 1000 to 2000 , -700 to -600 , 0xfff , 5000 to max ; reserved "
                        + name
                        + " ;");
        line("}");
    }

    private void body(Type type) {
        List<Integer> numbers = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            put(chance(8) ? ";" : "");
            switch (random.nextInt(10)) {
                case 0:
                    oneof(type, numbers);
                    break;
                case 1:
                    line(mapType(type) + " " + declared(numbers) + mapOptions() + " ;");
                    break;
                case 2:
                    if (edition == Edition.PROTO2) {
                        put(values.pick("optional", "repeated", "required"));
                        group(type, numbers);
                        break;
                    }
                    field(type, numbers);
                    break;
                default:
                    field(type, numbers);
                    break;
            }
        }
        for (Type inner : type.inner) {
            type(inner);
        }
        put(chance(4) ? "option deprecated = true ;" : "");
        put(chance(4) ? "option (confluent.message_meta) = " + values.meta() + " ;" : "");
        put(chance(4) ? "reserved 70000 , 71000 to 0x11600 , 72000 to 80000 ;" : "");
        put(
                chance(4)
                        ? "reserved " + (editions ? "gone, away" : "\"gone\", \"a\" \"way\"") + " ;"
                        : "");
        if (edition != Edition.PROTO3 && chance(3)) {
            extensions(type);
        }
    }

    private void extensions(Type type) {
        String reserved = fresh("x");
        line("extensions 100000 to 199999 , 250000 ;");
        line("extensions 300000 to max [ verification = DECLARATION , declaration = { number :");
        line("300001 full_name : \"." + reserved + "\" type : 'int32' } ] ;");
        String label = edition == Edition.PROTO2 ? "optional " : "";
        line("extend " + reference(type, type) + " { " + label + "int32 " + fresh("ext") + " =");
        line((100000 + random.nextInt(99999)) + " ; repeated " + scalarOrType(type, true));
        line(fresh("ext") + " = 250000 ; }");
    }

    private void group(Type type, List<Integer> numbers) {
        line("group " + fresh("Grp") + " = " + number(numbers));
        line((chance(3) ? "[ deprecated = true ] " : "") + "{ optional int32 x = 1 ; }");
    }

    private void oneof(Type type, List<Integer> numbers) {
        line("oneof " + fresh("one_of") + " {");
        for (int i = 1 + random.nextInt(3); i > 0; i--) {
            if (edition == Edition.PROTO2 && chance(4)) {
                group(type, numbers);
            } else {
                line(scalarOrType(type, false) + " " + declared(numbers) + " ;");
            }
        }
        line("}");
    }

    private void field(Type type, List<Integer> numbers) {
        int kind = random.nextInt(3);
        boolean repeated = kind == 0;
        String label = repeated ? "repeated " : "";
        if (!repeated && edition == Edition.PROTO2) {
            label = values.pick("optional ", "required ");
        } else if (!repeated && edition == Edition.PROTO3) {
            label = values.pick("optional ", "", "");
        }
        Type target = chance(3) ? (chance(2) ? some(enums) : some(messages)) : null;
        String written =
                target != null
                        ? reference(target, type)
                        : chance(8)
                                ? ".google.protobuf.Timestamp"
                                : values.pick(RandomValues.SCALARS);
        String declared = declared(numbers);
        List<String> options = options(written, target, repeated);
        StringBuilder all = new StringBuilder(label + written + " " + declared);
        for (int i = 0; i < options.size(); i++) {
            all.append(i == 0 ? " [ " : " , ").append(options.get(i));
        }
        line(all + (options.isEmpty() ? "" : " ]") + " ;");
    }

    private List<String> options(String written, Type target, boolean repeated) {
        boolean scalar = target == null && !written.startsWith(".");
        boolean packable = scalar && !written.equals("string") && !written.equals("bytes");
        List<String> options = new ArrayList<>();
        if (chance(4)) {
            options.add("deprecated = " + values.pick("true", "false"));
        }
        if (chance(5)) {
            options.add("json_name = \"" + fresh("jsoné") + "\"");
        }
        if (chance(5)) {
            options.add(values.metaOption("field"));
        }
        if (chance(5)) {
            String value =
                    values.pick(
                            ".s = '\\x41' \"\\u00e9\"",
                            ".n = -7",
                            " = { s : \"}\" , os { } ; d : 2 }");
            options.add(customOption + value);
        }
        if (packable && repeated && !editions && chance(2)) {
            options.add("packed = " + values.pick("true", "false"));
        }
        if (editions && packable && repeated && chance(3)) {
            options.add("features.repeated_field_encoding = " + values.pick("PACKED", "EXPANDED"));
        }
        if (editions && written.equals("string") && chance(3)) {
            options.add("features = { utf8_validation : " + values.pick("NONE", "VERIFY") + " }");
        }
        if (editions && target != null && !target.isEnum && chance(2)) {
            options.add(
                    "features.message_encoding = " + values.pick("DELIMITED", "LENGTH_PREFIXED"));
        }
        if (editions && !repeated && scalar && chance(3)) {
            options.add("features.field_presence = " + values.pick("EXPLICIT", "LEGACY_REQUIRED"));
        }
        if (edition != Edition.PROTO3 && !implicit && !repeated && chance(2)) {
            if (scalar) {
                options.add("default = " + values.defaultValue(written));
            } else if (target != null && target.isEnum) {
                options.add("default = " + target.firstValue);
            }
        }
        return options;
    }

    private String mapType(Type scope) {
        // An enum in a map must start at 0, which not all do.
        String value = scalarOrType(scope, edition != Edition.PROTO3);
        return "map < " + values.pick(RandomValues.KEYS) + " , " + value + " >";
    }

    private String mapOptions() {
        return chance(4) ? " [ deprecated = true ]" : "";
    }

    private String scalarOrType(Type scope, boolean noEnum) {
        if (chance(3)) {
            return reference(some(messages), scope);
        }
        if (!enums.isEmpty() && !noEnum && chance(4)) {
            return reference(some(enums), scope);
        }
        return chance(6) ? "google.protobuf.Timestamp" : values.pick(RandomValues.SCALARS);
    }

    private Type some(List<Type> types) {
        return types.isEmpty() ? null : types.get(random.nextInt(types.size()));
    }

    /** One of the spellings that mean {@code target} inside {@code scope}. */
    private String reference(Type target, Type scope) {
        for (Type outer = scope; outer != null && chance(2); outer = outer.outer) {
            if (target.outer == outer) {
                return target.name; // by simple name from inside
            }
        }
        return values.pick(
                "." + pkg + "." + target.path(), pkg + "." + target.path(), target.path());
    }

    /** Name, equals sign and number of a field. */
    private String declared(List<Integer> numbers) {
        boolean keyword = numbers.isEmpty() && chance(2);
        String name =
                keyword
                        ? values.pick(RandomValues.KEYWORDS)
                        : fresh(values.pick("f", "foo_bar_", "fooBar", "_x", "Y__"));
        return name + " = " + number(numbers);
    }

    private String number(List<Integer> numbers) {
        int next = numbers.isEmpty() ? 1 : numbers.get(numbers.size() - 1) + 1;
        next += chance(3) ? random.nextInt(300) : 0;
        numbers.add(next);
        return values.integer(next);
    }

    private void service() {
        String one = reference(some(messages), null);
        line("service " + fresh("Svc") + " { option deprecated = true ; ;");
        line("rpc " + fresh("Rpc") + " ( stream " + one + " ) returns ( " + one + " ) ;");
        line("rpc " + fresh("Rpc") + " ( " + one + " ) returns ( stream " + one + " ) { ; ");
        line("option idempotency_level = NO_SIDE_EFFECTS ; } }");
    }
}
