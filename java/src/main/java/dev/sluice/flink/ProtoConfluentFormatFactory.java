package dev.sluice.flink;

import dev.sluice.flink.format.ConnectorRows;
import dev.sluice.flink.format.RegistrySchemaProvider;
import dev.sluice.flink.registry.RegistryConfig;

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

/** Finds {@code 'format' = 'proto-confluent'}: Protobuf records of a Confluent schema registry. */
public final class ProtoConfluentFormatFactory
        implements DeserializationFormatFactory, SerializationFormatFactory {

    public static final String IDENTIFIER = "proto-confluent";

    @Override
    public String factoryIdentifier() {
        return IDENTIFIER;
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(ProtoConfluentFormatOptions.URL, ProtoConfluentFormatOptions.TOPIC);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of(
                ProtoConfluentFormatOptions.IS_KEY,
                ProtoConfluentFormatOptions.SUBJECT,
                ProtoConfluentFormatOptions.SCHEMA,
                ProtoConfluentFormatOptions.MESSAGE_CLASS,
                ProtoConfluentFormatOptions.MESSAGE_NAME,
                ProtoConfluentFormatOptions.AUTO_REGISTER_SCHEMAS,
                ProtoConfluentFormatOptions.NORMALIZE_SCHEMAS,
                ProtoConfluentFormatOptions.USE_SCHEMA_ID,
                ProtoConfluentFormatOptions.SKIP_KNOWN_TYPES,
                ProtoConfluentFormatOptions.SSL_KEYSTORE_LOCATION,
                ProtoConfluentFormatOptions.SSL_KEYSTORE_PASSWORD,
                ProtoConfluentFormatOptions.SSL_TRUSTSTORE_LOCATION,
                ProtoConfluentFormatOptions.SSL_TRUSTSTORE_PASSWORD,
                ProtoConfluentFormatOptions.BASIC_AUTH_CREDENTIALS_SOURCE,
                ProtoConfluentFormatOptions.BASIC_AUTH_USER_INFO,
                ProtoConfluentFormatOptions.BEARER_AUTH_CREDENTIALS_SOURCE,
                ProtoConfluentFormatOptions.BEARER_AUTH_TOKEN,
                ProtoConfluentFormatOptions.PROPERTIES,
                ProtoConfluentFormatOptions.ON_DESERIALIZE_ERROR,
                ProtoConfluentFormatOptions.UNFRAMED_RECORDS,
                ProtoConfluentFormatOptions.DEAD_LETTER_TOPIC,
                ProtoConfluentFormatOptions.DEAD_LETTER_PROPERTIES,
                ProtoConfluentFormatOptions.ENGINE,
                ProtoConfluentFormatOptions.ROW_FORMAT);
    }

    @Override
    public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        Map<String, String> properties = ProtoConfluentRegistryProperties.of(options);
        UnbuiltOptions.refuse(options, properties);
        return new ProtoConfluentDecodingFormat(
                new RegistrySchemaProvider(registry(options, properties)),
                options.get(ProtoConfluentFormatOptions.UNFRAMED_RECORDS),
                options.get(ProtoConfluentFormatOptions.ENGINE),
                options.get(ProtoConfluentFormatOptions.ROW_FORMAT)
                        .isBinary(
                                ConnectorRows.mayBeBinary(
                                        context.getCatalogTable().getOptions(),
                                        context.getCatalogTable().getResolvedSchema())));
    }

    @Override
    public EncodingFormat<SerializationSchema<RowData>> createEncodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        throw new ValidationException(
                String.format(
                        "Format '%s' cannot write yet: table %s can only be read.",
                        IDENTIFIER, context.getObjectIdentifier().asSummaryString()));
    }

    private static RegistryConfig registry(ReadableConfig options, Map<String, String> properties) {
        try {
            return RegistryConfig.of(options.get(ProtoConfluentFormatOptions.URL), properties);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    String.format("Format '%s': %s", IDENTIFIER, e.getMessage()), e);
        }
    }
}
