package dev.sluice.flink;

import dev.sluice.flink.format.ConnectorRows;
import dev.sluice.flink.format.MessageClass;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.SerializationFormatFactory;

import java.util.Map;
import java.util.Set;

/**
 * Finds {@code 'format' = 'protobuf-native'}: bare Protobuf records of one generated class, with
 * the options and the rows of Flink's own {@code protobuf} format.
 */
public final class ProtobufNativeFormatFactory
        implements DeserializationFormatFactory, SerializationFormatFactory {

    public static final String IDENTIFIER = "protobuf-native";

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(ProtobufNativeFormatOptions.MESSAGE_CLASS_NAME);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(
                ProtobufNativeFormatOptions.IGNORE_PARSE_ERRORS,
                ProtobufNativeFormatOptions.READ_DEFAULT_VALUES,
                ProtobufNativeFormatOptions.WRITE_NULL_STRING_LITERAL,
                ProtobufNativeFormatOptions.ENGINE,
                ProtobufNativeFormatOptions.BATCH_MAX_BYTES);
    }

    @Override
    public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        InterceptorHint.tell(context);
        refuseFiles(context);
        return new ProtobufNativeDecodingFormat(
                messageClass(context, options),
                options.get(ProtobufNativeFormatOptions.READ_DEFAULT_VALUES),
                options.get(ProtobufNativeFormatOptions.IGNORE_PARSE_ERRORS),
                options.get(ProtobufNativeFormatOptions.ENGINE),
                ConnectorRows.mayBeBinary(
                        context.getCatalogTable().getOptions(),
                        context.getCatalogTable().getResolvedSchema()),
                options.get(ProtobufNativeFormatOptions.BATCH_MAX_BYTES).getBytes());
    }

    @Override
    public EncodingFormat<SerializationSchema<RowData>> createEncodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        refuseFiles(context);
        return new ProtobufNativeEncodingFormat(
                messageClass(context, options),
                options.get(ProtobufNativeFormatOptions.WRITE_NULL_STRING_LITERAL),
                options.get(ProtobufNativeFormatOptions.ENGINE));
    }

    private static MessageClass messageClass(
            DynamicTableFactory.Context context, ReadableConfig options) {
        return MessageClass.load(
                ProtobufNativeFormatOptions.MESSAGE_CLASS_NAME.key(),
                options.get(ProtobufNativeFormatOptions.MESSAGE_CLASS_NAME),
                context.getClassLoader());
    }

    /**
     * Records in a file have nothing between them: line ends, by which others are cut, are data.
     */
    private static void refuseFiles(DynamicTableFactory.Context context) {
        Map<String, String> options = context.getCatalogTable().getOptions();
        if ("filesystem".equals(options.get(FactoryUtil.CONNECTOR.key()))) {
            throw new ValidationException(
                    String.format(
                            "The '%s' format is not supported for the 'filesystem' connector.",
                            IDENTIFIER));
        }
    }
}
