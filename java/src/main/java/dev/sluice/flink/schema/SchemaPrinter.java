package dev.sluice.flink.schema;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Prints linked files as registries keep them, in normal form (6.1, 6.2): fields by number, types
 * by absolute name, options by name. Services, extensions and custom options other than Confluent's
 * say nothing about records and are left out.
 */
public final class SchemaPrinter {
    private static final int FIELD_NUMBER_END = 1 << 29;

    private final TextLines lines = new TextLines();
    private final FileDescriptor file;
    private final FileDescriptorProto proto;
    private final String syntax;

    private SchemaPrinter(FileDescriptor file) {
        this.file = file;
        this.proto = file.toProto();
        this.syntax = proto.getSyntax();
    }

    /**
     * A file, and what it imports but for the files that every registry has.
     *
     * @param skipsKnown false to take those along as well ({@code skip.known.types})
     */
    public static SchemaFile file(FileDescriptor file, boolean skipsKnown) {
        return file(file, skipsKnown, new LinkedHashMap<>());
    }

    private static SchemaFile file(
            FileDescriptor file, boolean skipsKnown, Map<String, SchemaFile> known) {
        List<SchemaFile> imports = new ArrayList<>();
        for (FileDescriptor imported : file.getDependencies()) {
            if (skipsKnown && BuiltinImports.has(imported.getName())) {
                continue;
            }
            SchemaFile printed = known.get(imported.getName());
            if (printed == null) {
                printed = file(imported, skipsKnown, known);
                known.put(imported.getName(), printed);
            }
            imports.add(printed);
        }
        return new SchemaFile(file.getName(), print(file), imports);
    }

    /** The text of one file. */
    static String print(FileDescriptor file) {
        SchemaPrinter printer = new SchemaPrinter(file);
        printer.print();
        return printer.lines.toString();
    }

    private void print() {
        if (syntax.equals("proto3")) {
            lines.line("syntax = \"proto3\";");
        } else if (syntax.equals("editions")) {
            String edition = proto.getEdition().name().replace("EDITION_", "");
            lines.line("edition = \"" + edition + "\";");
        }
        if (!file.getPackage().isEmpty()) {
            lines.line("package " + file.getPackage() + ";");
        }
        lines.section();
        List<String> publicImports =
                proto.getPublicDependencyList().stream()
                        .map(proto::getDependency)
                        .collect(Collectors.toList());
        new TreeSet<>(proto.getDependencyList())
                .stream()
                        .filter(path -> !publicImports.contains(path))
                        .forEach(path -> lines.line("import \"" + path + "\";"));
        new TreeSet<>(publicImports).forEach(path -> lines.line("import public \"" + path + "\";"));
        lines.section();
        PrintedOptions.of(proto.getOptions(), lines)
                .forEach(option -> lines.line("option " + option + ";"));
        lines.section();
        file.getMessageTypes().forEach(this::message);
        file.getEnumTypes().forEach(this::enumeration);
    }

    private void message(Descriptor message) {
        lines.body("message " + message.getName(), () -> members(message));
    }

    private void members(Descriptor message) {
        DescriptorProto declared = message.toProto();
        lines.section();
        reserved(declared).forEach(lines::line);
        lines.section();
        PrintedOptions.of(declared.getOptions(), lines)
                .forEach(option -> lines.line("option " + option + ";"));
        lines.section();
        message.getFields().stream()
                .filter(field -> field.getRealContainingOneof() == null && !isGroup(field))
                .sorted(Comparator.comparing(FieldDescriptor::getNumber))
                .forEach(this::field);
        lines.section();
        message.getRealOneofs().stream()
                .sorted(Comparator.comparing(SchemaPrinter::lowest))
                .forEach(this::oneof);
        lines.section();
        message.getFields().stream()
                .filter(field -> field.getRealContainingOneof() == null && isGroup(field))
                .sorted(Comparator.comparing(FieldDescriptor::getNumber))
                .forEach(this::group);
        lines.section();
        extensionRanges(declared).forEach(lines::line);
        lines.section();
        List<Descriptor> groups =
                message.getFields().stream()
                        .filter(SchemaPrinter::isGroup)
                        .map(FieldDescriptor::getMessageType)
                        .collect(Collectors.toList());
        message.getNestedTypes().stream()
                .filter(nested -> !nested.getOptions().getMapEntry() && !groups.contains(nested))
                .forEach(this::message);
        message.getEnumTypes().forEach(this::enumeration);
    }

    private static int lowest(OneofDescriptor oneof) {
        return oneof.getFields().stream().mapToInt(FieldDescriptor::getNumber).min().orElse(0);
    }

    private static boolean isGroup(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.GROUP
                && field.toProto().getType() == FieldDescriptorProto.Type.TYPE_GROUP;
    }

    private void oneof(OneofDescriptor oneof) {
        lines.body(
                "oneof " + oneof.getName(),
                () ->
                        oneof.getFields().stream()
                                .sorted(Comparator.comparing(FieldDescriptor::getNumber))
                                .forEach(field -> member(field)));
    }

    private void member(FieldDescriptor field) {
        if (isGroup(field)) {
            group(field, "");
        } else {
            line(field, "");
        }
    }

    private void group(FieldDescriptor field) {
        group(field, label(field));
    }

    private void group(FieldDescriptor field, String label) {
        String head = label + "group " + field.getMessageType().getName();
        lines.body(head + " = " + field.getNumber(), () -> members(field.getMessageType()));
    }

    private void field(FieldDescriptor field) {
        line(field, label(field));
    }

    private void line(FieldDescriptor field, String label) {
        lines.withOptions(
                label + type(field) + " " + field.getName() + " = " + field.getNumber(),
                PrintedOptions.ofField(field, lines));
    }

    private String label(FieldDescriptor field) {
        if (field.isMapField()) {
            return "";
        }
        FieldDescriptorProto declared = field.toProto();
        switch (declared.getLabel()) {
            case LABEL_REPEATED:
                return "repeated ";
            case LABEL_REQUIRED:
                return "required ";
            default:
                boolean says = syntax.equals("proto3") && declared.getProto3Optional();
                boolean proto2 = !syntax.equals("proto3") && !syntax.equals("editions");
                return says || proto2 ? "optional " : "";
        }
    }

    private static String type(FieldDescriptor field) {
        if (field.isMapField()) {
            Descriptor entry = field.getMessageType();
            return String.format(
                    "map<%s, %s>",
                    type(entry.findFieldByNumber(1)), type(entry.findFieldByNumber(2)));
        }
        switch (field.getJavaType()) {
            case MESSAGE:
                return "." + field.getMessageType().getFullName();
            case ENUM:
                return "." + field.getEnumType().getFullName();
            default:
                return field.getType().name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    private void enumeration(EnumDescriptor type) {
        EnumDescriptorProto declared = type.toProto();
        lines.body(
                "enum " + type.getName(),
                () -> {
                    declared.getReservedRangeList().stream()
                            .flatMap(range -> numbers(range.getStart(), range.getEnd()))
                            .forEach(line -> lines.line("reserved " + line + ";"));
                    declared.getReservedNameList().stream()
                            .sorted()
                            .forEach(name -> lines.line("reserved \"" + name + "\";"));
                    PrintedOptions.of(declared.getOptions(), lines)
                            .forEach(option -> lines.line("option " + option + ";"));
                    type.getValues().stream()
                            .sorted(
                                    Comparator.comparing(EnumValueDescriptor::getNumber)
                                            .thenComparing(EnumValueDescriptor::getName))
                            .forEach(this::constant);
                });
    }

    private void constant(EnumValueDescriptor value) {
        lines.withOptions(
                value.getName() + " = " + value.getNumber(),
                PrintedOptions.of(value.getOptions(), lines));
    }

    /** Each range and name on its own line; ends are exclusive here, inclusive in the text. */
    private static List<String> reserved(DescriptorProto message) {
        List<String> found = new ArrayList<>();
        message.getReservedRangeList().stream()
                .sorted(Comparator.comparing(DescriptorProto.ReservedRange::getStart))
                .flatMap(range -> numbers(range.getStart(), range.getEnd() - 1))
                .forEach(line -> found.add("reserved " + line + ";"));
        message.getReservedNameList().stream()
                .sorted()
                .forEach(name -> found.add("reserved \"" + name + "\";"));
        return found;
    }

    private static List<String> extensionRanges(DescriptorProto message) {
        return message.getExtensionRangeList().stream()
                .sorted(Comparator.comparing(DescriptorProto.ExtensionRange::getStart))
                .flatMap(range -> numbers(range.getStart(), range.getEnd() - 1))
                .map(line -> "extensions " + line + ";")
                .collect(Collectors.toList());
    }

    private static Stream<String> numbers(int first, int last) {
        if (first == last) {
            return Stream.of(Integer.toString(first));
        }
        return Stream.of(first + " to " + (last >= FIELD_NUMBER_END - 1 ? "max" : last));
    }
}
