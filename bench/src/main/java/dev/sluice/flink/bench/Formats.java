package dev.sluice.flink.bench;

import dev.sluice.flink.ProtobufNativeFormatFactory;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.formats.protobuf.PbFormatFactory;
import org.apache.flink.table.data.RowData;

import java.util.HashMap;
import java.util.Map;

/** The formats over bare records of one payload: Flink's own, and ours. */
record Formats(Payload payload) {

    DeserializationSchema<RowData> flinkReader() throws Exception {
        return table("kafka", reading()).openReader(new PbFormatFactory());
    }

    SerializationSchema<RowData> flinkWriter() throws Exception {
        return table("kafka", named()).openWriter(new PbFormatFactory());
    }

    /** Ours, with rows of bytes, as the Kafka connector is given them. */
    DeserializationSchema<RowData> binaryReader(String engine) throws Exception {
        return reader("kafka", engine);
    }

    /** Ours, with rows of objects, as every other connector is given them. */
    DeserializationSchema<RowData> genericReader(String engine) throws Exception {
        return reader("another", engine);
    }

    private DeserializationSchema<RowData> reader(String connector, String engine)
            throws Exception {
        Map<String, String> options = reading();
        options.put("engine", engine);
        return table(connector, options).openReader(new ProtobufNativeFormatFactory());
    }

    SerializationSchema<RowData> writer(String engine) throws Exception {
        Map<String, String> options = named();
        options.put("engine", engine);
        return table("kafka", options).openWriter(new ProtobufNativeFormatFactory());
    }

    private Map<String, String> named() {
        return new HashMap<>(Map.of("message-class-name", payload.className()));
    }

    private Map<String, String> reading() {
        Map<String, String> options = named();
        options.put("read-default-values", Boolean.toString(payload.readDefaults()));
        return options;
    }

    private TableFormat table(String connector, Map<String, String> options) {
        return new TableFormat(payload.row(), connector, options);
    }
}
