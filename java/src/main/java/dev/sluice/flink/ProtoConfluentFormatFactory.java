package dev.sluice.flink;

import dev.sluice.flink.ProtoConfluentFormatOptions.IdEncoding;
import dev.sluice.flink.format.ConnectorRows;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.RegistrySchemaProvider;
import dev.sluice.flink.kafka.InterceptorClasses;
import dev.sluice.flink.registry.RegistryConfig;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.connector.format.DecodingFormat;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DeserializationFormatFactory;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.factories.FactoryUtil;
import org.apache.flink.table.factories.SerializationFormatFactory;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Finds {@code 'format' = 'proto-confluent'}: Protobuf records of a Confluent schema registry. */
public final class ProtoConfluentFormatFactory
        implements DeserializationFormatFactory, SerializationFormatFactory {

    public static final String IDENTIFIER = "proto-confluent";

    private static final String JAAS = "sasl.jaas.config";
    private static final String KEY_PREFIX = "key.fields-prefix";

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
                ProtoConfluentFormatOptions.ID_ENCODING,
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
                ProtoConfluentFormatOptions.DEAD_LETTER_ON_FAILURE,
                ProtoConfluentFormatOptions.VALIDATE_AT_PLANNING,
                ProtoConfluentFormatOptions.ENGINE,
                ProtoConfluentFormatOptions.ROW_FORMAT,
                ProtoConfluentFormatOptions.BATCH_MAX_BYTES);
    }

    @Override
    public DecodingFormat<DeserializationSchema<RowData>> createDecodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        InterceptorHint.tell(context);
        Map<String, String> properties = ProtoConfluentRegistryProperties.of(options);
        Map<String, String> tableOptions = context.getCatalogTable().getOptions();
        inheritJaas(properties, tableOptions);
        MessageClass messageClass = messageClass(properties, options, context.getClassLoader());
        return new ProtoConfluentDecodingFormat(
                schemas(options, properties, messageClass, context.getClassLoader()),
                options.get(ProtoConfluentFormatOptions.UNFRAMED_RECORDS).planned(),
                options.get(ProtoConfluentFormatOptions.MESSAGE_NAME),
                messageClass,
                options.get(ProtoConfluentFormatOptions.VALIDATE_AT_PLANNING),
                ErrorOptions.of(options),
                options.get(ProtoConfluentFormatOptions.ENGINE),
                options.get(ProtoConfluentFormatOptions.ROW_FORMAT)
                        .isBinary(
                                ConnectorRows.mayBeBinary(
                                        tableOptions,
                                        context.getCatalogTable().getResolvedSchema())),
                options.get(ProtoConfluentFormatOptions.BATCH_MAX_BYTES).getBytes());
    }

    /** {@code SASL_INHERIT} takes the credentials of the table's connection to Kafka. */
    private static void inheritJaas(
            Map<String, String> properties, Map<String, String> tableOptions) {
        String ofTable = tableOptions.get("properties." + JAAS);
        if (ofTable != null && !properties.containsKey("schema.registry." + JAAS)) {
            properties.putIfAbsent(JAAS, ofTable);
        }
    }

    private static MessageClass messageClass(
            Map<String, String> properties, ReadableConfig options, ClassLoader planning) {
        boolean isKey = options.get(ProtoConfluentFormatOptions.IS_KEY);
        String className = properties.get((isKey ? "key." : "value.") + "message-class");
        return className == null
                ? null
                : MessageClass.load(
                        ProtoConfluentFormatOptions.MESSAGE_CLASS.key(), className, planning);
    }

    @Override
    public EncodingFormat<SerializationSchema<RowData>> createEncodingFormat(
            DynamicTableFactory.Context context, ReadableConfig options) {
        FactoryUtil.validateFactoryOptions(this, options);
        Map<String, String> properties = ProtoConfluentRegistryProperties.of(options);
        inheritJaas(properties, context.getCatalogTable().getOptions());
        MessageClass messageClass = messageClass(properties, options, context.getClassLoader());
        SchemaProperties given = given(properties, options, context.getClassLoader());
        try {
            return new ProtoConfluentEncodingFormat(
                    RegistryConfig.of(options.get(ProtoConfluentFormatOptions.URL), properties),
                    new WriterChoiceOptions(options, given, messageClass),
                    new TreeMap<>(options.toMap()),
                    comments(context),
                    options.get(ProtoConfluentFormatOptions.VALIDATE_AT_PLANNING),
                    options.get(ProtoConfluentFormatOptions.ENGINE),
                    isIdInHeader(options, context.getCatalogTable().getOptions()));
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
    }

    /** Kafka's connector takes bytes from a format, and no headers: an interceptor puts those. */
    private static boolean isIdInHeader(ReadableConfig options, Map<String, String> tableOptions) {
        boolean isInHeader =
                options.get(ProtoConfluentFormatOptions.ID_ENCODING) == IdEncoding.HEADER;
        if (isInHeader
                && !InterceptorClasses.nameOurs(tableOptions.get(InterceptorClasses.OPTION))) {
            throw new IllegalArgumentException(
                    String.format(
                            "'%s' = '%s' needs an interceptor, which puts headers into records. %s",
                            ProtoConfluentFormatOptions.ID_ENCODING.key(),
                            IdEncoding.HEADER,
                            InterceptorClasses.HINT));
        }
        return isInHeader;
    }

    /** Comments of the table's columns, which Flink leaves out of the row type. */
    private static Map<String, String> comments(DynamicTableFactory.Context context) {
        Map<String, String> comments = new TreeMap<>();
        String prefix = context.getCatalogTable().getOptions().getOrDefault(KEY_PREFIX, "");
        for (Column column : context.getCatalogTable().getResolvedSchema().getColumns()) {
            column.getComment().ifPresent(comment -> comments.put(column.getName(), comment));
            if (!prefix.isEmpty() && column.getName().startsWith(prefix)) {
                String stripped = column.getName().substring(prefix.length());
                column.getComment().ifPresent(comment -> comments.put(stripped, comment));
            }
        }
        return comments;
    }

    private static SchemaProperties given(
            Map<String, String> properties, ReadableConfig options, ClassLoader planning) {
        boolean isKey = options.get(ProtoConfluentFormatOptions.IS_KEY);
        return new SchemaProperties(properties, isKey, planning);
    }

    private static ValidationException refused(IllegalArgumentException e) {
        return new ValidationException(
                String.format("Format '%s': %s", IDENTIFIER, e.getMessage()), e);
    }

    private static RegistrySchemaProvider schemas(
            ReadableConfig options,
            Map<String, String> properties,
            MessageClass messageClass,
            ClassLoader planning) {
        try {
            String message = messageClass == null ? null : messageClass.descriptor().getFullName();
            return new RegistrySchemaProvider(
                    RegistryConfig.of(options.get(ProtoConfluentFormatOptions.URL), properties),
                    SchemaChoiceOptions.of(options, given(properties, options, planning), message));
        } catch (IllegalArgumentException e) {
            throw refused(e);
        }
    }
}
