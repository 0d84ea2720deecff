package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

class ConnectorRowsTest {

    private static final Column ID = Column.physical("id", DataTypes.BIGINT());

    static Stream<Arguments> tables() {
        return Stream.of(
                Arguments.of("kafka alone", true, "kafka", "", List.of(ID)),
                Arguments.of("kafka with a key", false, "kafka", "key.format", List.of(ID)),
                Arguments.of("upsert-kafka", false, "upsert-kafka", "key.format", List.of(ID)),
                Arguments.of("another connector", false, "filesystem", "", List.of(ID)),
                Arguments.of("a connector that is almost kafka", false, "Kafka", "", List.of(ID)),
                Arguments.of(
                        "metadata of the connector",
                        false,
                        "kafka",
                        "",
                        List.of(ID, metadata("o", "offset"))),
                Arguments.of(
                        "metadata without a key",
                        false,
                        "kafka",
                        "",
                        List.of(metadata("offset", null), ID)),
                Arguments.of(
                        "metadata of the value format",
                        true,
                        "kafka",
                        "",
                        List.of(ID, metadata("s", "value.schema-id"))),
                Arguments.of(
                        "metadata of the value format without a key",
                        true,
                        "kafka",
                        "",
                        List.of(ID, metadata("value.schema-id", null))),
                Arguments.of(
                        "metadata of both",
                        false,
                        "kafka",
                        "",
                        List.of(
                                metadata("s", "value.schema-id"),
                                metadata("partition", null),
                                ID)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("tables")
    void areBinaryOnlyWhereNothingCastsThem(
            String name, boolean binary, String connector, String option, List<Column> columns) {
        Map<String, String> options = new HashMap<>(Map.of("connector", connector));
        if (!option.isEmpty()) {
            options.put(option, "proto-confluent");
        }
        assertThat(ConnectorRows.mayBeBinary(options, ResolvedSchema.of(columns)))
                .isEqualTo(binary);
    }

    private static Column metadata(String name, String key) {
        return Column.metadata(name, DataTypes.BIGINT(), key, true);
    }
}
