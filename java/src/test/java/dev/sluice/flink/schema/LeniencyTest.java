package dev.sluice.flink.schema;

import static dev.sluice.flink.schema.ResolvedSchemas.field;
import static dev.sluice.flink.schema.ResolvedSchemas.schema;
import static dev.sluice.flink.schema.ResolvedSchemas.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;

import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;

/** What registries hold and compilers refuse; and what is refused here too, with its message. */
class LeniencyTest {
    private static final String PROTO3 = "syntax = 'proto3'; ";

    @ParameterizedTest
    @ValueSource(
            strings = {
                PROTO3
                        + "message A { int32 x = 1 [(validate.rules).int32 = {gt: 0, in: [1, 2]}];"
                        + " }",
                PROTO3 + "option (google.api.default_host) = 'x'; message A { int32 x = 1; }",
                PROTO3 + "import 'not/used.proto'; message A { int32 x = 1; }",
                PROTO3 + "import weak 'not/there.proto'; message A { int32 x = 1; }",
                PROTO3 + "message A { int32 x = 1; E e = 2; } enum E { P = 0; Q = 1; R = 1; }",
                PROTO3 + "message A { int32 x = 1; E e = 2; } enum E { ONE = 1; }",
                PROTO3 + "message A { int32 x = 1; int32 foo_bar = 2; int32 fooBar = 3; }",
                PROTO3 + "message A { int32 x = 1 [default = 5]; }",
                PROTO3 + "message A { int32 x = 1 [ctype = NOPE, no_such_option = 1]; }",
                PROTO3 + "message A { int32 x = 1; } service S { rpc R(Nope) returns (A); }",
                PROTO3 + "message A { int32 x = 1; } extend Nope { int32 y = 7; }",
                PROTO3 + "message A { int32 x = 1; oneof o { ; int32 y = 2; ; } }",
                PROTO3 + "message A { int32 x = 1; reserved a, 'b'; }",
                PROTO3 + "import 'a.proto'; import 'a.proto'; message A { int32 x = 1; }",
                "message A { int32 x = 1; }",
                PROTO3 + "message A { option (map_entry) = 3; int32 x = 1 [(packed) = 'no']; }",
                "package a; message A { optional int32 x = 1; extensions 2 to 5; }",
            })
    void theTextIsRead(String text) throws Exception {
        ResolvedSchema schema = schema(text).message(new int[] {0});
        assertThat(field(schema, "x").getKind()).isEqualTo(FieldKind.FIELD_INT32);
        assertThat(field(schema, "x").hasDefaultValue()).isFalse();
    }

    @Test
    void aFieldBehindAMissingWeakImportIsOpaque() throws Exception {
        ResolvedSchema schema =
                schema("import weak 'gone.proto'; message A { repeated gone.G g = 1; }")
                        .message("A");
        assertThat(field(schema, "g").getKind()).isEqualTo(FieldKind.FIELD_BYTES);
        assertThat(field(schema, "g").getRepeated()).isTrue();
    }

    @Test
    void aMissingImportThatIsNeededIsNamed() {
        assertThatThrownBy(
                        () ->
                                schema(
                                        "syntax = 'proto3'; package p; import 'gone.proto';",
                                        "message A { message B { gone.G g = 1; } }"))
                .isInstanceOfSatisfying(
                        SchemaException.class,
                        refused ->
                                assertThat(refused.kind())
                                        .isEqualTo(SchemaException.Kind.MISSING_IMPORT))
                .hasMessage("p.A.B.g has an unknown type gone.G; missing imports: gone.proto");
    }

    @Test
    void importsAreSeenDirectlyAndThroughPublicImports() throws Exception {
        Map<String, String> imports =
                Map.of(
                        "a.proto", "package a; import public 'b.proto'; import 'c.proto';",
                        "b.proto", "package b; message B {}",
                        "c.proto", "package c; message C {}");
        String start = "import 'a.proto'; message M { optional ";
        ResolvedSchema schema = WriterSchema.of(start + "b.B x = 1; }", imports).message("M");
        assertThat(target(schema, "x").getFullName()).isEqualTo("b.B");
        assertThatThrownBy(() -> WriterSchema.of(start + "c.C x = 1; }", imports))
                .hasMessage("M.x has an unknown type c.C");
    }

    @Test
    void aSerializedDescriptorStandsForAText() throws Exception {
        // As Confluent's server writes it: no labels, no types, relative names (H10).
        DescriptorProto entry =
                DescriptorProto.newBuilder()
                        .setName("byIdEntry")
                        .addField(named("key", 1).setType(Type.TYPE_STRING))
                        .addField(named("value", 2).setTypeName("Inner"))
                        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
                        .build();
        DescriptorProto outer =
                DescriptorProto.newBuilder()
                        .setName("Outer")
                        .addNestedType(DescriptorProto.newBuilder().setName("Inner"))
                        .addNestedType(entry)
                        .addField(named("a", 1).setType(Type.TYPE_INT32).setOneofIndex(0))
                        .addField(named("b", 2).setTypeName("Inner"))
                        .addField(named("c", 3).setTypeName(".p.E"))
                        .addField(
                                named("byId", 4)
                                        .setTypeName("byIdEntry")
                                        .setLabel(Label.LABEL_REPEATED))
                        .addField(
                                named("d", 5)
                                        .setType(Type.TYPE_STRING)
                                        .setProto3Optional(true)
                                        .setOneofIndex(1))
                        .addField(
                                named("e", 6)
                                        .setType(Type.TYPE_BOOL)
                                        .setLabel(Label.LABEL_REQUIRED))
                        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("one"))
                        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_d"))
                        .build();
        FileDescriptorProto.Builder file =
                FileDescriptorProto.newBuilder()
                        .setName("default")
                        .setSyntax("proto3")
                        .setPackage("p")
                        .addMessageType(outer);
        file.addEnumTypeBuilder().setName("E").addValueBuilder().setName("Z").setNumber(0);
        String base64 = Base64.getMimeEncoder().encodeToString(file.build().toByteArray());

        ResolvedSchema schema = WriterSchema.of(base64, Map.of()).message(new int[] {0});
        assertThat(field(schema, "a").getOneofIndex()).isZero();
        assertThat(target(schema, "b").getFullName()).isEqualTo("p.Outer.Inner");
        assertThat(field(schema, "c").getKind()).isEqualTo(FieldKind.FIELD_ENUM);
        assertThat(target(schema, "byId").getMapEntry()).isTrue();
        assertThat(field(schema, "d").getHasPresence()).isTrue();
        assertThat(field(schema, "d").hasOneofIndex()).isFalse();
        assertThat(field(schema, "e").getRequired()).isFalse();

        WriterSchema imported =
                WriterSchema.of(
                        "import 'x.proto'; message M { optional p.Outer o = 1; }",
                        Map.of("x.proto", base64));
        assertThat(target(imported.message("M"), "o").getFullName()).isEqualTo("p.Outer");
    }

    private static FieldDescriptorProto.Builder named(String name, int number) {
        return FieldDescriptorProto.newBuilder().setName(name).setNumber(number);
    }

    static Stream<Arguments> refusedTexts() {
        return Stream.of(
                arguments(
                        "mesage A {}",
                        "schema, line 1:1: expected a statement of a file, such as \"message\", but"
                                + " found \"mesage\""),
                arguments(
                        "message A { optional int32 a =\n  x; }",
                        "schema, line 2:3: expected a field number but found \"x\""),
                arguments("message Abcd", "schema, line 1:13: expected \"{\" but found the end"),
                arguments(
                        "syntax = 'proto4';",
                        "schema, line 1:10: expected \"proto2\" or \"proto3\" but found"
                                + " \"proto4\""),
                arguments(
                        "edition = '1997';",
                        "schema, line 1:11: expected edition \"2023\" or \"2024\" but found"
                                + " \"1997\""),
                arguments(
                        "option a = 'x' 'y\n';",
                        "schema, line 1:16: string without end on its line"),
                arguments(
                        "message A { oneof o { optional int32 a = 1; } }",
                        "schema, line 1:23: a oneof member has no label"),
                arguments(
                        "syntax = 'proto3'; message A { required int32 a = 1; }",
                        "schema, line 1:32: required fields are of proto2 only"),
                arguments(
                        "edition = '2023'; option features.field_presence = MAYBE;",
                        "schema, line 1:26: option features.field_presence does not exist or fit"
                                + " its value"),
                arguments("message A { optional Nope x = 1; }", "A.x has an unknown type Nope"),
                arguments(
                        "message A { optional int32 x = 536870912; }",
                        "A.x: field number out of range"));
    }

    @ParameterizedTest
    @MethodSource("refusedTexts")
    void errorsSayWhereAndWhatWasExpected(String text, String message) {
        assertThatThrownBy(() -> schema(text))
                .isInstanceOf(SchemaException.class)
                .hasMessage(message);
    }

    @Test
    void errorsInImportsNameTheImport() {
        assertThatThrownBy(
                        () -> WriterSchema.of("import 'a.proto';", Map.of("a.proto", "message {}")))
                .hasMessage(
                        "import \"a.proto\", line 1:9: expected a message name but found \"{\"");
        assertThatThrownBy(
                        () ->
                                WriterSchema.of(
                                        "import 'a.proto';",
                                        Map.of("a.proto", "message A {} message A {}")))
                .isInstanceOfSatisfying(
                        SchemaException.class,
                        refused -> assertThat(refused.kind()).isEqualTo(SchemaException.Kind.LINK))
                .hasMessageStartingWith("import \"a.proto\": A: \"A\" is already defined");
    }
}
