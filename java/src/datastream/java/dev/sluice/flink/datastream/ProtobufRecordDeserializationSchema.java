package dev.sluice.flink.datastream;

import dev.sluice.flink.ProtoConfluentSchemas;
import dev.sluice.flink.ProtobufDeserializationSchema;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.connector.kafka.source.reader.deserializer.KafkaRecordDeserializationSchema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.JoinedRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.Collector;
import org.apache.kafka.clients.consumer.ConsumerRecord;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Reads Kafka's records as rows, for a {@code KafkaSource}. The schema of a key or value is the one
 * that the last header of its name tells, else the one in front of the message, else the latest of
 * its subject (R1); no interceptor is needed.
 *
 * <pre>
 * row = columns of the key, named key_…, then columns of the value
 * </pre>
 *
 * <p>With a key, a null value is a row of kind {@code DELETE}, whose value columns are NULL, as
 * {@code upsert-kafka} reads it. A null value without a key format, and a null key with one, give
 * no row.
 */
public final class ProtobufRecordDeserializationSchema
        implements KafkaRecordDeserializationSchema<RowData> {
    private static final long serialVersionUID = 1L;
    private static final String KEY_PREFIX = "key_";

    private final RecordSide key; // null: none
    private final RecordSide value;
    private final int valueColumns;
    private final TypeInformation<RowData> producedType;

    private transient RowData noValue;

    private ProtobufRecordDeserializationSchema(Builder built) {
        key = built.key == null ? null : RecordSide.ofKey(built.key());
        value = RecordSide.ofValue(built.value());
        valueColumns = DataType.getFieldCount(built.value);
        producedType = InternalTypeInfo.of(rowType(built.key, built.value));
    }

    public static Builder builder() {
        return new Builder();
    }

    private static RowType rowType(DataType key, DataType value) {
        List<LogicalType> types = new ArrayList<>();
        List<String> names = new ArrayList<>();
        if (key != null) {
            DataType.getFieldNames(key).forEach(name -> names.add(KEY_PREFIX + name));
            types.addAll(key.getLogicalType().getChildren());
        }
        names.addAll(DataType.getFieldNames(value));
        types.addAll(value.getLogicalType().getChildren());
        return RowType.of(types.toArray(new LogicalType[0]), names.toArray(new String[0]));
    }

    @Override
    public void open(DeserializationSchema.InitializationContext context) throws Exception {
        noValue = new GenericRowData(valueColumns);
        if (key != null) {
            key.open(context);
        }
        value.open(context);
    }

    /**
     * Gives out the row of a record; none for one that is skipped.
     *
     * @throws dev.sluice.flink.engine.RecordException if the record is refused, and the options say
     *     {@code fail}; the byte offset counts from the start of the key or value
     */
    @Override
    public void deserialize(ConsumerRecord<byte[], byte[]> record, Collector<RowData> rows)
            throws IOException {
        RowData keyRow = key == null ? null : key.read(record.key(), record.headers());
        RowData valueRow = value.read(record.value(), record.headers());
        boolean isDeletion = record.value() == null;
        if (key == null ? valueRow == null : keyRow == null || !isDeletion && valueRow == null) {
            return;
        }
        if (key == null) {
            rows.collect(valueRow);
        } else if (isDeletion) {
            rows.collect(new JoinedRowData(RowKind.DELETE, keyRow, noValue));
        } else {
            rows.collect(new JoinedRowData(RowKind.INSERT, keyRow, valueRow));
        }
    }

    @Override
    public TypeInformation<RowData> getProducedType() {
        return producedType;
    }

    /** The value is required; whatever is given twice, the last counts. */
    public static final class Builder {
        private DataType key;
        private Map<String, String> keyOptions;
        private DataType value;
        private Map<String, String> valueOptions;

        private Builder() {}

        /**
         * The columns to read from the key. Without them the key is not looked at.
         *
         * @param columns a ROW type
         * @param options of {@code proto-confluent}; {@code is_key} is set
         */
        public Builder key(DataType columns, Map<String, String> options) {
            key = columns;
            keyOptions = Map.copyOf(options);
            return this;
        }

        /** The columns to read from the value, as for {@link #key}. */
        public Builder value(DataType columns, Map<String, String> options) {
            value = columns;
            valueOptions = Map.copyOf(options);
            return this;
        }

        private ProtobufDeserializationSchema key() {
            Map<String, String> options = new HashMap<>(keyOptions);
            options.put("is_key", "true");
            return ProtoConfluentSchemas.reading(key, options);
        }

        private ProtobufDeserializationSchema value() {
            return ProtoConfluentSchemas.reading(value, valueOptions);
        }

        /**
         * Compares the columns with the schemas, as for a table.
         *
         * @throws org.apache.flink.table.api.ValidationException if columns or options are refused
         */
        public ProtobufRecordDeserializationSchema build() {
            Objects.requireNonNull(value, "value");
            return new ProtobufRecordDeserializationSchema(this);
        }
    }
}
