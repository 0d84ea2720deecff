package dev.sluice.flink;

import dev.sluice.flink.kafka.InterceptorClasses;

import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.FallbackKey;
import org.apache.flink.table.api.Schema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.CatalogTable;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ObjectIdentifier;
import org.apache.flink.table.catalog.ResolvedCatalogTable;
import org.apache.flink.table.catalog.ResolvedSchema;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.factories.DynamicTableFactory;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The format {@code proto-confluent} for programs without tables: what a table would make of the
 * same columns and options. All that is checked where a table is planned is checked here.
 *
 * <p>Options are those of {@link ProtoConfluentFormatOptions}, by their keys and without a prefix;
 * columns are a ROW type.
 */
public final class ProtoConfluentSchemas {
    /** What the table would be called; no such table exists. */
    private static final ObjectIdentifier NAME = ObjectIdentifier.of("none", "none", "none");

    private ProtoConfluentSchemas() {}

    /**
     * Reads a key or value into a row of these columns.
     *
     * @throws ValidationException if columns or options are refused
     */
    public static ProtobufDeserializationSchema reading(
            DataType columns, Map<String, String> options) {
        return (ProtobufDeserializationSchema)
                new ProtoConfluentFormatFactory()
                        .createDecodingFormat(new NoTable(columns), checked(options))
                        .createRuntimeDecoder(new TypesOnly(), columns);
    }

    /**
     * Writes a row of these columns as a key or value. With {@code id-encoding} = {@code header}
     * somebody else must put the header: an interceptor, or a serialization schema for records.
     *
     * @throws ValidationException if columns or options are refused
     */
    public static ProtobufSerializationSchema writing(
            DataType columns, Map<String, String> options) {
        return (ProtobufSerializationSchema)
                new ProtoConfluentFormatFactory()
                        .createEncodingFormat(new NoTable(columns), checked(options))
                        .createRuntimeEncoder(null, columns);
    }

    /** In a table, an option that no format knows is refused by its connector. */
    private static Configuration checked(Map<String, String> options) {
        ProtoConfluentFormatFactory factory = new ProtoConfluentFormatFactory();
        Set<String> known = new HashSet<>();
        Stream.of(factory.requiredOptions(), factory.optionalOptions())
                .flatMap(Set::stream)
                .forEach(option -> addKeys(option, known));
        for (String key : options.keySet()) {
            if (!known.contains(key)
                    && !key.startsWith(ProtoConfluentFormatOptions.PROPERTIES.key() + ".")
                    && !key.startsWith(
                            ProtoConfluentFormatOptions.DEAD_LETTER_PROPERTIES.key() + ".")) {
                throw new ValidationException(
                        String.format(
                                "Format '%s' has no option '%s'",
                                ProtoConfluentFormatFactory.IDENTIFIER, key));
            }
        }
        return Configuration.fromMap(options);
    }

    private static void addKeys(ConfigOption<?> option, Set<String> known) {
        known.add(option.key());
        for (FallbackKey other : option.fallbackKeys()) {
            known.add(other.getKey());
        }
    }

    /** Columns with the types that formats ask of a table. */
    private static final class NoTable implements DynamicTableFactory.Context {
        private final ResolvedCatalogTable table;

        private NoTable(DataType columns) {
            if (columns.getLogicalType().getTypeRoot() != LogicalTypeRoot.ROW) {
                throw new ValidationException("columns are a ROW type, not " + columns);
            }
            Map<String, String> options = new HashMap<>();
            // Rows may be of any class, as those of this connector, and whoever writes puts
            // headers.
            options.put("connector", "kafka");
            options.put(InterceptorClasses.OPTION, InterceptorClasses.OF_KAFKA);
            List<Column> physical = new ArrayList<>();
            List<String> names = DataType.getFieldNames(columns);
            List<DataType> types = DataType.getFieldDataTypes(columns);
            for (int at = 0; at < names.size(); at++) {
                physical.add(Column.physical(names.get(at), types.get(at)));
            }
            table =
                    new ResolvedCatalogTable(
                            CatalogTable.newBuilder()
                                    .schema(Schema.newBuilder().build())
                                    .options(options)
                                    .build(),
                            ResolvedSchema.of(physical));
        }

        @Override
        public ObjectIdentifier getObjectIdentifier() {
            return NAME;
        }

        @Override
        public ResolvedCatalogTable getCatalogTable() {
            return table;
        }

        @Override
        public Configuration getConfiguration() {
            return new Configuration();
        }

        @Override
        public ClassLoader getClassLoader() {
            ClassLoader ofThread = Thread.currentThread().getContextClassLoader();
            return ofThread == null ? ProtoConfluentSchemas.class.getClassLoader() : ofThread;
        }

        @Override
        public boolean isTemporary() {
            return true;
        }
    }

    private static final class TypesOnly implements DynamicTableSource.Context {
        @Override
        public <T> TypeInformation<T> createTypeInformation(DataType type) {
            return createTypeInformation(type.getLogicalType());
        }

        @Override
        @SuppressWarnings("unchecked") // as in Flink's own context
        public <T> TypeInformation<T> createTypeInformation(LogicalType type) {
            return (TypeInformation<T>) InternalTypeInfo.of(type);
        }

        @Override
        public DynamicTableSource.DataStructureConverter createDataStructureConverter(
                DataType type) {
            throw new UnsupportedOperationException("rows stay as they are");
        }
    }
}
