package dev.sluice.flink;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.SerializationFormatFactory;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * A connector with Kafka's format options, as far as planning goes: finds formats through Flink's
 * own discovery, and refuses options that nobody consumed.
 */
final class FakeKafka implements DynamicTableFactory {

    private static final ConfigOption<String> KEY_FORMAT =
            ConfigOptions.key("key" + FactoryUtil.FORMAT_SUFFIX).stringType().noDefaultValue();
    private static final ConfigOption<String> VALUE_FORMAT =
            ConfigOptions.key("value" + FactoryUtil.FORMAT_SUFFIX).stringType().noDefaultValue();

    /** Options of a table whose value has our format, with all that is required. */
    static Map<String, String> options() {
        Map<String, String> options = new HashMap<>();
        options.put("connector", "kafka");
        options.put("value.format", "proto-confluent");
        options.put("value.proto-confluent.url", "http://registry:8081");
        options.put("value.proto-confluent.topic", "orders");
        return options;
    }

    /** {@link #options} and some more: name, value, name, value. */
    static Map<String, String> options(String... more) {
        Map<String, String> options = options();
        for (int at = 0; at < more.length; at += 2) {
            options.put(more[at], more[at + 1]);
        }
        return options;
    }

    /** Options of a table whose value has {@code protobuf-native}: name, value, name, value. */
    static Map<String, String> nativeOptions(String messageClass, String... more) {
        Map<String, String> options = new HashMap<>();
        options.put("connector", "kafka");
        options.put("value.format", "protobuf-native");
        options.put("value.protobuf-native.message-class-name", messageClass);
        for (int at = 0; at < more.length; at += 2) {
            options.put("value.protobuf-native." + more[at], more[at + 1]);
        }
        return options;
    }

    static DecodingFormat<DeserializationSchema<RowData>> decoding(
            Map<String, String> options, Column... columns) {
        FactoryUtil.TableFactoryHelper helper = helper(options, columns);
        DecodingFormat<DeserializationSchema<RowData>> value =
                helper.discoverOptionalDecodingFormat(
                                DeserializationFormatFactory.class, FactoryUtil.FORMAT)
                        .orElseGet(
                                () ->
                                        helper.discoverDecodingFormat(
                                                DeserializationFormatFactory.class, VALUE_FORMAT));
        helper.discoverOptionalDecodingFormat(DeserializationFormatFactory.class, KEY_FORMAT);
        helper.validate();
        return value;
    }

    static EncodingFormat<SerializationSchema<RowData>> encoding(
            Map<String, String> options, Column... columns) {
        return helper(options, columns)
                .discoverEncodingFormat(SerializationFormatFactory.class, VALUE_FORMAT);
    }

    private static FactoryUtil.TableFactoryHelper helper(
            Map<String, String> options, Column... columns) {
        ResolvedCatalogTable table =
                new ResolvedCatalogTable(
                        CatalogTable.newBuilder()
                                .schema(Schema.newBuilder().build())
                                .options(options)
                                .build(),
                        ResolvedSchema.of(columns));
        return FactoryUtil.createTableFactoryHelper(
                new FakeKafka(),
                new FactoryUtil.DefaultDynamicTableContext(
                        ObjectIdentifier.of("c", "d", "t"),
                        table,
                        Map.of(),
                        new Configuration(),
                        FakeKafka.class.getClassLoader(),
                        false));
    }

    @Override
    public String factoryIdentifier() {
        return "kafka";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of();
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(FactoryUtil.FORMAT, KEY_FORMAT, VALUE_FORMAT);
    }
}
