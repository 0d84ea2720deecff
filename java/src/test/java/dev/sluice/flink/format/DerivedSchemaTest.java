package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.schema.SchemaFile;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Collectors;

/** Rules T1 to T10; the golden file is what a registry gets. */
class DerivedSchemaTest {
    private static final String GOLDEN = "derived.proto";

    private static RowType row(DataTypes.Field... fields) {
        return (RowType) DataTypes.ROW(fields).getLogicalType();
    }

    private static DataTypes.Field field(String name, DataType type) {
        return DataTypes.FIELD(name, type);
    }

    /** Every type of the table of T5, nullable and not, and the shapes of T8 to T10. */
    private static RowType everything() {
        return row(
                field("b", DataTypes.BOOLEAN()),
                field("t", DataTypes.TINYINT().notNull()),
                field("s", DataTypes.SMALLINT()),
                field("i", DataTypes.INT().notNull()),
                field("l", DataTypes.BIGINT()),
                field("f", DataTypes.FLOAT()),
                field("d", DataTypes.DOUBLE().notNull()),
                field("c", DataTypes.CHAR(3)),
                field("v", DataTypes.VARCHAR(7).notNull()),
                field("text", DataTypes.STRING()),
                field("bin", DataTypes.BINARY(3)),
                field("vbin", DataTypes.VARBINARY(7)),
                field("bytes", DataTypes.BYTES().notNull()),
                field("day", DataTypes.DATE()),
                field("at_time", DataTypes.TIME(3).notNull()),
                field("ts9", DataTypes.TIMESTAMP(9)),
                field("ts", DataTypes.TIMESTAMP(6).notNull()),
                field("ltz", DataTypes.TIMESTAMP_LTZ(3)),
                field("price", DataTypes.DECIMAL(9, 2).notNull()),
                field(
                        "geo",
                        DataTypes.ROW(
                                        DataTypes.FIELD("x", DataTypes.DOUBLE(), "it's \"east\""),
                                        field("empty", DataTypes.ROW()))
                                .notNull()),
                field("tag", DataTypes.ARRAY(DataTypes.STRING())),
                field("hist", DataTypes.ARRAY(DataTypes.INT().notNull()).notNull()),
                field("days", DataTypes.ARRAY(DataTypes.DATE().notNull()).notNull()),
                field(
                        "grid",
                        DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT().notNull()).notNull())
                                .notNull()),
                field(
                        "user_attr",
                        DataTypes.MAP(DataTypes.STRING().notNull(), DataTypes.INT()).notNull()),
                field(
                        "by_day",
                        DataTypes.MAP(
                                DataTypes.DATE(), DataTypes.ROW(field("n", DataTypes.INT())))),
                field("bag", DataTypes.MULTISET(DataTypes.STRING().notNull()).notNull()),
                field("maybe_bag", DataTypes.MULTISET(DataTypes.STRING())));
    }

    @Test
    void theTextIsTheGoldenOne() throws Exception {
        SchemaFile schema =
                DerivedSchema.of(everything(), "shop.v1.Everything", Map.of("l", "a comment"));
        if (Boolean.getBoolean("sluice.rewrite")) {
            Path file = Path.of("src/test/resources/dev/sluice/flink/format", GOLDEN);
            Files.writeString(file, schema.text());
        }
        try (InputStream golden = DerivedSchemaTest.class.getResourceAsStream(GOLDEN)) {
            assertThat(schema.text())
                    .isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    void theTextIsASchemaOfTheColumns() throws Exception {
        RowType row = everything();
        WriterSchema schema =
                WriterSchema.of(
                        DerivedSchema.of(row, DerivedSchema.DEFAULT_NAME, Map.of()).text(),
                        Map.of());

        Descriptor message = schema.descriptor(new int[] {0});

        assertThat(message.getFullName()).isEqualTo("io.confluent.protobuf.generated.Row");
        assertThat(message.getFields().stream().map(FieldDescriptor::getName))
                .containsExactlyElementsOf(row.getFieldNames());
        assertThat(
                        message.getFields().stream()
                                .map(FieldDescriptor::getNumber)
                                .collect(Collectors.toList()))
                .isSorted()
                .startsWith(1);
    }

    @Test
    void entriesAreNamedAsConfluentNamesThem() {
        assertThat(
                        Map.of(
                                "user_counts", DerivedSchema.entryName("user_counts"),
                                "mapOfArrays", DerivedSchema.entryName("mapOfArrays"),
                                "value", DerivedSchema.entryName("value"),
                                "a1B", DerivedSchema.entryName("a1B"),
                                "_x", DerivedSchema.entryName("_x")))
                .isEqualTo(
                        Map.of(
                                "user_counts", "UserCountsEntry",
                                "mapOfArrays", "MapofarraysEntry",
                                "value", "ValueEntry",
                                "a1B", "A1bEntry",
                                "_x", "XEntry"));
    }

    @Test
    void columnsThatNoFieldCanStandForAreRefusedByName() {
        RowType odd = row(field("größe", DataTypes.INT()));
        RowType interval = row(field("span", DataTypes.INTERVAL(DataTypes.DAY())));
        DataType map = DataTypes.MAP(DataTypes.INT(), DataTypes.INT()).notNull();
        RowType clash = row(field("ab", map), field("aB", map));

        assertThatThrownBy(() -> DerivedSchema.of(odd, "R", Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'größe'");
        assertThatThrownBy(() -> DerivedSchema.of(interval, "R", Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'span'");
        assertThatThrownBy(() -> DerivedSchema.of(clash, "R", Map.of()))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'AbEntry'");
    }
}
