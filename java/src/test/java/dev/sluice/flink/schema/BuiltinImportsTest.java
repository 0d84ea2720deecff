package dev.sluice.flink.schema;

import static dev.sluice.flink.schema.ResolvedSchemas.field;
import static dev.sluice.flink.schema.ResolvedSchemas.target;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FileDescriptor;

import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Map;

class BuiltinImportsTest {
    private static final String DECIMAL = "confluent/type/decimal.proto";

    @Test
    void thereAreThirty() {
        assertThat(BuiltinImports.paths()).hasSize(30);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("dev.sluice.flink.schema.BuiltinImports#paths")
    void eachIsImportedWithoutAReference(String path) throws Exception {
        FileDescriptor file = BuiltinImports.linked(path);
        String folder = path.substring(0, path.lastIndexOf('/')).replace('/', '.');
        assertThat(file.getPackage()).isEqualTo(folder);
        String type =
                file.getMessageTypes().isEmpty()
                        ? file.getEnumTypes().get(0).getFullName()
                        : file.getMessageTypes().get(0).getFullName();
        String text = "import '" + path + "'; message M { optional " + type + " x = 1; }";
        ResolvedSchema schema = WriterSchema.of(text, Map.of()).message("M");
        assertThat(schema.getMessagesCount() + schema.getEnumsCount()).isGreaterThan(1);
    }

    @Test
    void aReferenceWinsOverTheBuiltInCopy() throws Exception {
        String root =
                "import '" + DECIMAL + "'; message M { optional confluent.type.Decimal d = 1; }";
        String old =
                "syntax = 'proto3'; package confluent.type;"
                        + " message Decimal { bytes value = 1; int32 scale = 2; }";
        ResolvedSchema builtin = WriterSchema.of(root, Map.of()).message("M");
        ResolvedSchema overridden = WriterSchema.of(root, Map.of(DECIMAL, old)).message("M");
        assertThat(target(builtin, "d").getFieldsList())
                .extracting(ResolvedField::getName)
                .containsExactly("value", "precision", "scale");
        assertThat(field(target(builtin, "d"), "scale").getNumber()).isEqualTo(3);
        assertThat(field(target(overridden, "d"), "scale").getNumber()).isEqualTo(2);
    }

    @Test
    void aReferenceReachesTheBuiltInFilesThatImportIt() throws Exception {
        String root =
                "import 'google/type/interval.proto';"
                        + " message M { optional google.type.Interval i = 1; }";
        String strange =
                "syntax = 'proto3'; package google.protobuf;"
                        + " message Timestamp { string text = 1; }";
        ResolvedSchema schema =
                WriterSchema.of(root, Map.of("google/protobuf/timestamp.proto", strange))
                        .message("M");
        assertThat(schema.getMessagesList())
                .anySatisfy(
                        message -> {
                            assertThat(message.getFullName())
                                    .isEqualTo("google.protobuf.Timestamp");
                            assertThat(message.getFields(0).getName()).isEqualTo("text");
                        });
    }
}
