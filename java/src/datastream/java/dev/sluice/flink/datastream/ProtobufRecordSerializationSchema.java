package dev.sluice.flink.datastream;

import dev.sluice.flink.ProtoConfluentSchemas;
import dev.sluice.flink.kafka.ProducerHeaders;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.connector.kafka.sink.KafkaRecordSerializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.utils.ProjectedRowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.types.RowKind;
import org.apache.kafka.clients.producer.ProducerRecord;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * Writes rows as records of one topic, for a {@code KafkaSink}. With {@code id-encoding} = {@code
 * header} it puts the headers that name the schemas itself; no interceptor is needed.
 *
 * <pre>
 * row    = columns of the key, then columns of the value
 * record = topic, key, value, headers, and the timestamp of the row if it has one
 * </pre>
 *
 * <p>With a key, a row that is deleted ({@code DELETE}, {@code UPDATE_BEFORE}) is written as its
 * key and a null value, as {@code upsert-kafka} does. Without a key such a row is refused.
 */
public final class ProtobufRecordSerializationSchema
        implements KafkaRecordSerializationSchema<RowData> {
    private static final long serialVersionUID = 1L;

    private final String topic;
    private final SerializationSchema<RowData> key; // null: none
    private final SerializationSchema<RowData> value;
    private final int[] keyColumns;
    private final int[] valueColumns;

    private transient ProjectedRowData keyRow;
    private transient ProjectedRowData valueRow;
    private transient ProducerHeaders headers;

    private ProtobufRecordSerializationSchema(Builder built) {
        topic = built.topic;
        int keyCount = built.key == null ? 0 : DataType.getFieldCount(built.key);
        int valueCount = DataType.getFieldCount(built.value);
        key = keyCount == 0 ? null : ProtoConfluentSchemas.writing(built.key, built.keyOptions());
        value = ProtoConfluentSchemas.writing(built.value, built.valueOptions());
        keyColumns = IntStream.range(0, keyCount).toArray();
        valueColumns = IntStream.range(keyCount, keyCount + valueCount).toArray();
    }

    public static Builder builder() {
        return new Builder();
    }

    @Override
    public void open(SerializationSchema.InitializationContext context, KafkaSinkContext sink)
            throws Exception {
        keyRow = ProjectedRowData.from(keyColumns);
        valueRow = ProjectedRowData.from(valueColumns);
        headers = new ProducerHeaders();
        if (key != null) {
            key.open(context);
        }
        value.open(context);
    }

    /**
     * The record of one row.
     *
     * @throws dev.sluice.flink.RowNotWrittenException if its key or value is refused
     * @throws IllegalArgumentException if it is a deletion, and there is no key
     */
    @Override
    public ProducerRecord<byte[], byte[]> serialize(
            RowData row, KafkaSinkContext sink, Long timestamp) {
        boolean isDeleted = isDeleted(row.getRowKind());
        if (isDeleted && key == null) {
            throw new IllegalArgumentException(
                    "a row of kind " + row.getRowKind() + " cannot be written without a key");
        }
        byte[] keyBytes = key == null ? null : key.serialize(keyRow.replaceRow(row));
        byte[] valueBytes = isDeleted ? null : value.serialize(valueRow.replaceRow(row));
        // Kafka refuses negative ones; Flink has them for rows without.
        Long known = timestamp == null || timestamp < 0 ? null : timestamp;
        ProducerRecord<byte[], byte[]> record =
                new ProducerRecord<>(topic, null, known, keyBytes, valueBytes);
        put(record, ProducerHeaders.KEY, headers.ofKey(keyBytes));
        put(record, ProducerHeaders.VALUE, headers.ofValue(valueBytes));
        return record;
    }

    private static boolean isDeleted(RowKind kind) {
        return kind == RowKind.DELETE || kind == RowKind.UPDATE_BEFORE;
    }

    private static void put(ProducerRecord<byte[], byte[]> record, String name, byte[] header) {
        if (header != null) {
            record.headers().add(name, header);
        }
    }

    /** Topic and value are required; whatever is given twice, the last counts. */
    public static final class Builder {
        private String topic;
        private DataType key;
        private Map<String, String> keyOptions;
        private DataType value;
        private Map<String, String> valueOptions;

        private Builder() {}

        /** The topic, and that of the formats unless their options name another one. */
        public Builder topic(String topic) {
            this.topic = topic;
            return this;
        }

        /**
         * The columns that are the key.
         *
         * @param columns a ROW type
         * @param options of {@code proto-confluent}; {@code is_key} is set
         */
        public Builder key(DataType columns, Map<String, String> options) {
            key = columns;
            keyOptions = Map.copyOf(options);
            return this;
        }

        /** The columns that are the value, as for {@link #key}. */
        public Builder value(DataType columns, Map<String, String> options) {
            value = columns;
            valueOptions = Map.copyOf(options);
            return this;
        }

        private Map<String, String> keyOptions() {
            Map<String, String> options = withTopic(keyOptions);
            options.put("is_key", "true");
            return options;
        }

        private Map<String, String> valueOptions() {
            return withTopic(valueOptions);
        }

        private Map<String, String> withTopic(Map<String, String> given) {
            Map<String, String> options = new HashMap<>(given);
            options.putIfAbsent("topic", topic);
            return options;
        }

        /**
         * Compares the columns with what is written, as for a table.
         *
         * @throws org.apache.flink.table.api.ValidationException if columns or options are refused
         */
        public ProtobufRecordSerializationSchema build() {
            Objects.requireNonNull(topic, "topic");
            Objects.requireNonNull(value, "value");
            return new ProtobufRecordSerializationSchema(this);
        }
    }
}
