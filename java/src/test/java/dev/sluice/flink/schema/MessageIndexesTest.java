package dev.sluice.flink.schema;

import static dev.sluice.flink.schema.ResolvedSchemas.name;
import static dev.sluice.flink.schema.ResolvedSchemas.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import org.junit.jupiter.api.Test;

import java.util.Base64;
import java.util.Map;

class MessageIndexesTest {
    private static final String NESTED =
            String.join(
                    "\n",
                    "package shop.v1;",
                    "enum First { ZERO = 0; }",
                    "message Order {",
                    "  enum Kind { NONE = 0; }",
                    "  map<string, Line> by_name = 1;",
                    "  message Line { message Tax {} }",
                    "  optional group Extra = 2 {}",
                    "  message Total {}",
                    "}",
                    "message Refund {}");

    private static int[] at(int... indexes) {
        return indexes;
    }

    @Test
    void enumsMapEntriesAndGroupsAreNotCounted() throws Exception {
        WriterSchema schema = schema(NESTED);
        assertThat(name(schema.message(at(0)))).isEqualTo("shop.v1.Order");
        assertThat(name(schema.message(at(1)))).isEqualTo("shop.v1.Refund");
        assertThat(name(schema.message(at(0, 0)))).isEqualTo("shop.v1.Order.Line");
        assertThat(name(schema.message(at(0, 0, 0)))).isEqualTo("shop.v1.Order.Line.Tax");
        assertThat(name(schema.message(at(0, 1)))).isEqualTo("shop.v1.Order.Total");
    }

    @Test
    void descriptorsAreThoseOfTheSameMessages() throws Exception {
        WriterSchema schema = schema(NESTED);
        for (int[] indexes : new int[][] {at(0), at(1), at(0, 0), at(0, 0, 0), at(0, 1)}) {
            assertThat(schema.descriptor(indexes).getFullName())
                    .isEqualTo(name(schema.message(indexes)));
        }
        assertThat(schema.descriptor("shop.v1.Order.Line")).isSameAs(schema.descriptor(at(0, 0)));
        assertThatThrownBy(() -> schema.descriptor("shop.v1.Missing"))
                .hasMessage("no message is named shop.v1.Missing");
    }

    @Test
    void proto3IsAPropertyOfTheFileThatDeclaresTheMessage() throws Exception {
        WriterSchema schema =
                WriterSchema.of(
                        "syntax = 'proto3'; import 'old.proto'; message New { Old old = 1; }",
                        Map.of("old.proto", "message Old { optional int32 a = 1; }"));
        assertThat(schema.isProto3("New")).isTrue();
        assertThat(schema.isProto3("Old")).isFalse();
        assertThat(schema("/* syntax = 'proto3' */ message A {}").isProto3("A")).isFalse();
        assertThat(schema("edition = '2023'; message A {}").isProto3("A")).isFalse();
    }

    @Test
    void indexesThatSelectNothingAreRefused() throws Exception {
        WriterSchema schema = schema(NESTED);
        // 0,2 is the map entry and 0,3 the group: no record is one of them.
        for (int[] indexes :
                new int[][] {at(), at(2), at(-1), at(0, 2), at(0, 3), at(0, -1), at(1, 0)}) {
            assertThatThrownBy(() -> schema.message(indexes))
                    .isInstanceOfSatisfying(
                            SchemaException.class,
                            refused ->
                                    assertThat(refused.kind())
                                            .isEqualTo(SchemaException.Kind.UNKNOWN_INDEX));
        }
        assertThatThrownBy(() -> schema.message(at(0, 9)))
                .hasMessage("no message has the indexes [0, 9]");
        assertThatThrownBy(() -> schema("").message(at(0)))
                .hasMessage("no message has the indexes [0]");
    }

    @Test
    void indexesOfANameAreTheInverse() throws Exception {
        WriterSchema schema = schema(NESTED);
        assertThat(schema.indexes("shop.v1.Order")).containsExactly(0);
        assertThat(schema.indexes("shop.v1.Refund")).containsExactly(1);
        assertThat(schema.indexes("shop.v1.Order.Line.Tax")).containsExactly(0, 0, 0);
        assertThat(schema.indexes("shop.v1.Order.Total")).containsExactly(0, 1);
        for (String name :
                new String[] {
                    "Order",
                    "shop.v1",
                    "shop.v1.",
                    "shop.v1.Order.Missing",
                    "shop.v1.First",
                    "shop.v1.Order.Extra",
                    "shop.v1.Order.ByNameEntry",
                    ".shop.v1.Order",
                    ""
                }) {
            assertThatThrownBy(() -> schema.indexes(name))
                    .isInstanceOfSatisfying(
                            SchemaException.class,
                            refused ->
                                    assertThat(refused.kind())
                                            .isEqualTo(SchemaException.Kind.UNKNOWN_MESSAGE));
        }
    }

    @Test
    void aMessageMayBeNamedLikeAPackageSegment() throws Exception {
        WriterSchema schema =
                schema(
                        "syntax = 'proto3'; package shop.order;",
                        "message shop { message order { message Line {} } }",
                        "message order { shop.order x = 1; }",
                        "message Line { .shop.order.order o = 1; shop.order.shop s = 2; }");
        assertThat(schema.indexes("shop.order.shop")).containsExactly(0);
        assertThat(schema.indexes("shop.order.order")).containsExactly(1);
        assertThat(schema.indexes("shop.order.Line")).containsExactly(2);
        assertThat(schema.indexes("shop.order.shop.order.Line")).containsExactly(0, 0, 0);
        // The inner shop hides the package shop, but only for names that it has.
        assertThat(ResolvedSchemas.target(schema.message(at(1)), "x").getFullName())
                .isEqualTo("shop.order.shop.order");
        assertThat(ResolvedSchemas.target(schema.message(at(2)), "s").getFullName())
                .isEqualTo("shop.order.shop");
    }

    @Test
    void writtenMapEntriesAreCounted() throws Exception {
        WriterSchema schema =
                schema(
                        "syntax = 'proto3'; message A { repeated FEntry f = 1;",
                        "message FEntry { option map_entry = true; string key = 1; B value = 2; }",
                        "message B {} }");
        assertThat(name(schema.message(at(0, 1)))).isEqualTo("A.B");
        assertThat(name(schema.message(at(0, 0)))).isEqualTo("A.FEntry");
        assertThat(schema.message(at(0, 0)).getMessages(0).getMapEntry()).isTrue();
    }

    @Test
    void serializedDescriptorsAreCountedByPosition() throws Exception {
        DescriptorProto outer =
                DescriptorProto.newBuilder()
                        .setName("Outer")
                        .addNestedType(DescriptorProto.newBuilder().setName("Inner"))
                        .addNestedType(DescriptorProto.newBuilder().setName("fooEntry"))
                        .build();
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder().setName("default").addMessageType(outer).build();
        WriterSchema schema = schema(Base64.getEncoder().encodeToString(file.toByteArray()));
        assertThat(name(schema.message(at(0, 0)))).isEqualTo("Outer.Inner");
        assertThat(name(schema.message(at(0, 1)))).isEqualTo("Outer.fooEntry");
    }

    @Test
    void aFileThatOnlyPassesAnotherOnIsTransparent() throws Exception {
        Map<String, String> imports =
                Map.of(
                        "real.proto", "package real; import public 'far.proto'; message A {}",
                        "far.proto", "package far; message F {}",
                        "empty.proto", "import public 'far.proto';");
        WriterSchema wrapper = WriterSchema.of("import public 'real.proto';", imports);
        assertThat(name(wrapper.message(at(0)))).isEqualTo("real.A");
        assertThat(wrapper.indexes("real.A")).containsExactly(0);
        assertThat(name(wrapper.message("real.A"))).isEqualTo("real.A");

        WriterSchema local = WriterSchema.of("import public 'real.proto'; message L {}", imports);
        assertThat(name(local.message(at(0)))).isEqualTo("L");
        assertThatThrownBy(() -> local.indexes("real.A")).isInstanceOf(SchemaException.class);

        WriterSchema twice = WriterSchema.of("import public 'empty.proto';", imports);
        assertThatThrownBy(() -> twice.message(at(0))).isInstanceOf(SchemaException.class);

        for (String opaque :
                new String[] {
                    "import 'real.proto';",
                    "import public 'real.proto'; import 'far.proto';",
                    "import public 'real.proto'; enum E { X = 0; }",
                    "import public 'real.proto'; service S {}",
                    "import public 'real.proto'; extend real.A { optional int32 x = 100; }"
                }) {
            WriterSchema schema = WriterSchema.of(opaque, imports);
            assertThatThrownBy(() -> schema.message(at(0)))
                    .as(opaque)
                    .isInstanceOf(SchemaException.class);
        }
    }

    @Test
    void aWellKnownTypeCanBePassedOn() throws Exception {
        WriterSchema schema = schema("import public 'google/protobuf/timestamp.proto';");
        assertThat(name(schema.message(at(0)))).isEqualTo("google.protobuf.Timestamp");
    }

    @Test
    void namesAreFoundInImportsToo() throws Exception {
        Map<String, String> imports =
                Map.of(
                        "a.proto",
                        "package a; import 'b.proto'; message M { message N {} }",
                        "b.proto",
                        "package b; message M {}");
        WriterSchema schema = WriterSchema.of("import 'a.proto'; message M {}", imports);
        assertThat(name(schema.message("M"))).isEqualTo("M");
        assertThat(name(schema.message("a.M.N"))).isEqualTo("a.M.N");
        assertThat(name(schema.message("b.M"))).isEqualTo("b.M");
        assertThatThrownBy(() -> schema.message("a.N")).hasMessage("no message is named a.N");
    }

    @Test
    void aResolvedMessageIsKept() throws Exception {
        WriterSchema schema = schema(NESTED);
        assertThat(schema.message(at(0))).isSameAs(schema.message("shop.v1.Order"));
    }
}
