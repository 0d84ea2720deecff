package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.SerializationFormatFactory;
import org.apache.flink.table.runtime.connector.sink.SinkRuntimeProviderContext;
import org.apache.flink.table.runtime.connector.source.ScanRuntimeProviderContext;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.utils.TypeConversions;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The format of a table, planned and opened by its factory as a job would do it, whoever's format
 * it is.
 *
 * @param connector what the table says; ours gives binary rows to {@code kafka}
 * @param options of the format, without its prefix
 */
record TableFormat(RowType row, String connector, Map<String, String> options) {

    DeserializationSchema<RowData> openReader(DeserializationFormatFactory factory)
            throws Exception {
        DeserializationSchema<RowData> schema =
                factory.createDecodingFormat(table(), Configuration.fromMap(options))
                        .createRuntimeDecoder(ScanRuntimeProviderContext.INSTANCE, dataType());
        schema.open(new NoTask());
        return schema;
    }

    SerializationSchema<RowData> openWriter(SerializationFormatFactory factory) throws Exception {
        SerializationSchema<RowData> schema =
                factory.createEncodingFormat(table(), Configuration.fromMap(options))
                        .createRuntimeEncoder(new SinkRuntimeProviderContext(false), dataType());
        schema.open(new NoTask());
        return schema;
    }

    private DataType dataType() {
        return TypeConversions.fromLogicalToDataType(row).notNull();
    }

    private DynamicTableFactory.Context table() {
        List<Column> columns =
                row.getFields().stream()
                        .map(
                                field ->
                                        Column.physical(
                                                field.getName(), DataTypes.of(field.getType())))
                        .collect(Collectors.toList());
        ResolvedSchema schema = ResolvedSchema.of(columns);
        CatalogTable table =
                CatalogTable.newBuilder()
                        .schema(Schema.newBuilder().fromResolvedSchema(schema).build())
                        .options(Map.of("connector", connector))
                        .build();
        return new FactoryUtil.DefaultDynamicTableContext(
                ObjectIdentifier.of("bench", "bench", "records"),
                new ResolvedCatalogTable(table, schema),
                Map.of(),
                new Configuration(),
                Thread.currentThread().getContextClassLoader(),
                false);
    }
}
