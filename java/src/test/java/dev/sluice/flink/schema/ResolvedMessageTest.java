package dev.sluice.flink.schema;

import static dev.sluice.flink.schema.ResolvedSchemas.field;
import static dev.sluice.flink.schema.ResolvedSchemas.root;
import static dev.sluice.flink.schema.ResolvedSchemas.schema;
import static dev.sluice.flink.schema.ResolvedSchemas.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;

import dev.sluice.flink.plan.DefaultValue;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.ResolvedEnumValue;
import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;

class ResolvedMessageTest {
    @Test
    void proto3FieldsHavePresenceOnlyWhereTheySaySo() throws Exception {
        ResolvedSchema schema =
                schema(
                                "syntax = 'proto3'; message A {",
                                "int32 plain = 1; optional int32 marked = 2; A message = 3;",
                                "oneof real { string member = 4; } repeated int32 many = 5;",
                                "repeated int32 loose = 6 [packed = false]; E open = 7;",
                                "map<string, A> map = 8; }",
                                "enum E { NONE = 0; ONE = 1; }")
                        .message("A");
        assertThat(field(schema, "plain").getHasPresence()).isFalse();
        assertThat(field(schema, "marked").getHasPresence()).isTrue();
        assertThat(field(schema, "message").getHasPresence()).isTrue();
        assertThat(field(schema, "member").getHasPresence()).isTrue();
        assertThat(field(schema, "many").getPacked()).isTrue();
        assertThat(field(schema, "loose").getPacked()).isFalse();
        assertThat(field(schema, "open").getClosedEnum()).isFalse();
        assertThat(field(schema, "member").getStrictUtf8()).isTrue();

        // Synthetic oneofs are left out.
        assertThat(root(schema).getOneofsList()).containsExactly("real");
        assertThat(field(schema, "marked").hasOneofIndex()).isFalse();
        assertThat(field(schema, "member").getOneofIndex()).isZero();
        assertThat(field(schema, "member").hasOneofIndex()).isTrue();

        assertThat(field(schema, "message").getMessageIndex()).isEqualTo(schema.getRoot());
        ResolvedMessage entry = target(schema, "map");
        assertThat(entry.getMapEntry()).isTrue();
        assertThat(entry.getFullName()).isEqualTo("A.MapEntry");
        assertThat(field(schema, "map").getRepeated()).isTrue();
        assertThat(field(schema, "map").getKind()).isEqualTo(FieldKind.FIELD_MESSAGE);
        assertThat(schema.getMessagesCount()).isEqualTo(2);
        assertThat(schema.getVersion()).isEqualTo(1);
    }

    @Test
    void proto2HasPresenceRequiredClosedEnumsAndLaxStrings() throws Exception {
        ResolvedSchema schema =
                schema(
                                "message A { required int32 must = 1; optional string text = 2;",
                                "repeated int32 loose = 3; repeated int32 tight = 4 [packed ="
                                        + " true];",
                                "optional E closed = 5; optional group Part = 6 { optional A a = 1;"
                                        + " }",
                                "map<string, string> strings = 7; }",
                                "enum E { option allow_alias = true; B = 2; A1 = 1; ALIAS = 2; }")
                        .message("A");
        assertThat(field(schema, "must").getRequired()).isTrue();
        assertThat(field(schema, "text").getRequired()).isFalse();
        assertThat(field(schema, "text").getHasPresence()).isTrue();
        assertThat(field(schema, "text").getStrictUtf8()).isFalse();
        assertThat(field(schema, "loose").getPacked()).isFalse();
        assertThat(field(schema, "tight").getPacked()).isTrue();
        assertThat(field(schema, "closed").getClosedEnum()).isTrue();

        ResolvedField group = field(schema, "part");
        assertThat(group.getKind()).isEqualTo(FieldKind.FIELD_GROUP);
        assertThat(group.getNumber()).isEqualTo(6);
        assertThat(target(schema, "part").getFullName()).isEqualTo("A.Part");

        // Keys and values of maps are strict even here (decision 5).
        assertThat(field(target(schema, "strings"), "key").getStrictUtf8()).isTrue();
        assertThat(field(target(schema, "strings"), "value").getStrictUtf8()).isTrue();

        assertThat(schema.getEnums(0).getFullName()).isEqualTo("E");
        assertThat(schema.getEnums(0).getValuesList())
                .extracting(ResolvedEnumValue::getName)
                .containsExactly("B", "A1", "ALIAS");
        assertThat(field(schema, "must").getKind()).isEqualTo(FieldKind.FIELD_INT32);
    }

    @Test
    void editionFeaturesAreResolved() throws Exception {
        ResolvedSchema schema =
                schema(
                                "edition = '2023'; option features.field_presence = IMPLICIT;",
                                "message A {",
                                "int32 implicit = 1;",
                                "int32 explicit = 2 [features.field_presence = EXPLICIT];",
                                "int32 must = 3 [features.field_presence = LEGACY_REQUIRED];",
                                "B part = 4 [features.message_encoding = DELIMITED];",
                                "string lax = 5 [features.utf8_validation = NONE];",
                                "repeated int32 loose = 6",
                                "  [features.repeated_field_encoding = EXPANDED];",
                                "C closed = 7 [features.field_presence = EXPLICIT]; O open = 8; }",
                                "message B {} enum C { option features.enum_type = CLOSED; X = 1;"
                                        + " }",
                                "enum O { Z = 0; }")
                        .message("A");
        assertThat(field(schema, "implicit").getHasPresence()).isFalse();
        assertThat(field(schema, "explicit").getHasPresence()).isTrue();
        assertThat(field(schema, "must").getRequired()).isTrue();
        assertThat(field(schema, "part").getKind()).isEqualTo(FieldKind.FIELD_GROUP);
        assertThat(field(schema, "lax").getStrictUtf8()).isFalse();
        assertThat(field(schema, "loose").getPacked()).isFalse();
        assertThat(field(schema, "closed").getClosedEnum()).isTrue();
        assertThat(field(schema, "open").getClosedEnum()).isFalse();
    }

    @Test
    void closedFollowsTheFileOfTheField() throws Exception {
        Map<String, String> imports =
                Map.of("open.proto", "syntax = 'proto3'; enum Open { NONE = 0; }");
        WriterSchema schema =
                WriterSchema.of("import 'open.proto'; message A { optional Open e = 1; }", imports);
        assertThat(field(schema.message("A"), "e").getClosedEnum()).isTrue();
    }

    @Test
    void declaredDefaultsAreValues() throws Exception {
        ResolvedSchema schema =
                schema(
                                "message A {",
                                "optional sint32 i = 1 [default = -7];",
                                "optional uint32 u = 2 [default = 0xffffffff];",
                                "optional uint64 w = 3 [default = 0xffffffffffffffff];",
                                "optional bool b = 4 [default = true];",
                                "optional float f = 5 [default = -inf];",
                                "optional double d = 6 [default = 0.1];",
                                "optional string s = 7 [default = 'é\\n'];",
                                "optional bytes o = 8 [default = '\\xff\\0'];",
                                "optional E e = 9 [default = TWO];",
                                "optional int32 none = 10; }",
                                "enum E { ONE = 1; TWO = -2; }")
                        .message("A");
        assertThat(field(schema, "i").getDefaultValue()).isEqualTo(integer(-7));
        assertThat(field(schema, "u").getDefaultValue()).isEqualTo(integer(0xffffffffL));
        assertThat(field(schema, "w").getDefaultValue()).isEqualTo(integer(-1));
        assertThat(field(schema, "b").getDefaultValue()).isEqualTo(integer(1));
        assertThat(field(schema, "f").getDefaultValue().getFloat32())
                .isEqualTo(Float.NEGATIVE_INFINITY);
        assertThat(field(schema, "d").getDefaultValue().getFloat64()).isEqualTo(0.1);
        assertThat(field(schema, "s").getDefaultValue().getText()).isEqualTo("é\n");
        assertThat(field(schema, "o").getDefaultValue().getOctets())
                .isEqualTo(ByteString.copyFrom(new byte[] {-1, 0}));
        assertThat(field(schema, "e").getDefaultValue()).isEqualTo(integer(-2));
        assertThat(field(schema, "none").hasDefaultValue()).isFalse();
    }

    private static DefaultValue integer(long value) {
        return DefaultValue.newBuilder().setInteger(value).build();
    }

    /** The spellings of P14, without an import of confluent/meta.proto (H19). */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(confluent.field_meta) = {params: [{key: 'a', value: '1'}, {value: '2', key:"
                        + " 'b'}]}",
                "(confluent.field_meta) = { params { key: 'a' value: '1' } params < key: 'b' value:"
                        + " '2' > }",
                "(confluent.field_meta).params = {key: 'a', value: '1'},"
                        + " (confluent.field_meta).params = {value: '2' key: 'b'}",
                "(confluent.field_meta).params = [{key: 'a', value: '1'}, {key: 'b', value: '2'}]",
                "(.confluent.field_meta).params = {key: 'a' value: '1'}, deprecated = true,"
                        + " (confluent.field_meta).doc = 'd', (confluent.field_meta) ="
                        + " {params: {key: 'b', value: '2'}, tags: ['x'], later: {unknown: 1}}",
                "(confluent.field_meta) = {params: [{key: 'a', value: 1}, {key: \"b\"; value: 2;}]}"
            })
    void parametersComeOutOfEverySpelling(String option) throws Exception {
        WriterSchema schema =
                schema("syntax = 'proto3'; message A { int32 x = 1 [" + option + "]; }");
        boolean whole = option.contains(".doc");
        Map<String, String> expected = whole ? Map.of("b", "2") : Map.of("a", "1", "b", "2");
        assertThat(field(schema.message("A"), "x").getParametersMap())
                .containsAllEntriesOf(expected);
    }

    @Test
    void descriptorsOfCompiledClassesResolveToo() throws Exception {
        byte[] file = FileDescriptorSet.getDescriptor().getFile().toProto().toByteArray();
        WriterSchema schema = WriterSchema.ofDescriptors(file, List.of());
        ResolvedSchema message = schema.message("google.protobuf.FileDescriptorSet");
        assertThat(field(message, "file").getKind()).isEqualTo(FieldKind.FIELD_MESSAGE);
        assertThat(message.getMessagesCount()).isGreaterThan(20);
    }
}
