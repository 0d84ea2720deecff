package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.connector.datagen.source.DataGeneratorSource;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.connector.source.ScanTableSource;
import org.apache.flink.table.connector.source.SourceProvider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableSourceFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.types.DataType;

import java.util.Set;

/**
 * A bounded table whose records lie in memory and are decoded in the source reader by the table's
 * format, as the Kafka connector does it. It serves tables of any connector: a format gives rows of
 * bytes to one that is called {@code kafka}.
 */
final class RecordsTableFactory implements DynamicTableSourceFactory {
    static final ConfigOption<String> PAYLOAD =
            ConfigOptions.key("payload").stringType().noDefaultValue();
    static final ConfigOption<Long> COUNT = ConfigOptions.key("count").longType().noDefaultValue();

    @Override
    public String factoryIdentifier() {
        return "records";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(PAYLOAD, COUNT, FactoryUtil.FORMAT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSource createDynamicTableSource(Context context) {
        FactoryUtil.TableFactoryHelper table = FactoryUtil.createTableFactoryHelper(this, context);
        return new Source(
                table.getOptions().get(PAYLOAD),
                table.getOptions().get(COUNT),
                table.discoverDecodingFormat(
                        DeserializationFormatFactory.class, FactoryUtil.FORMAT),
                context.getPhysicalRowDataType());
    }

    private record Source(
            String payload,
            long count,
            DecodingFormat<DeserializationSchema<RowData>> format,
            DataType produced)
            implements ScanTableSource {

        @Override
        public ChangelogMode getChangelogMode() {
            return ChangelogMode.insertOnly();
        }

        @Override
        public ScanRuntimeProvider getScanRuntimeProvider(ScanContext context) {
            DeserializationSchema<RowData> schema = format.createRuntimeDecoder(context, produced);
            return SourceProvider.of(
                    new DataGeneratorSource<>(
                            new DecodedRecords(payload, schema),
                            count,
                            context.createTypeInformation(produced)));
        }

        @Override
        public DynamicTableSource copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "records";
        }
    }
}
