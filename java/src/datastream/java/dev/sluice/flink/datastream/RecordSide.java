package dev.sluice.flink.datastream;

import dev.sluice.flink.ProtobufDeserializationSchema;
import dev.sluice.flink.kafka.ConsumerPolls;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import java.io.IOException;
import java.io.Serializable;

/** Reads keys or values with the headers that they came with. Belongs to one task thread. */
final class RecordSide implements Serializable {
    private static final long serialVersionUID = 1L;

    private final String header; // its name
    private final ProtobufDeserializationSchema format;

    private RecordSide(String header, ProtobufDeserializationSchema format) {
        this.header = header;
        this.format = format;
    }

    static RecordSide ofKey(ProtobufDeserializationSchema format) {
        return new RecordSide(ConsumerPolls.KEY_HEADER, format);
    }

    static RecordSide ofValue(ProtobufDeserializationSchema format) {
        return new RecordSide(ConsumerPolls.VALUE_HEADER, format);
    }

    void open(DeserializationSchema.InitializationContext context) throws Exception {
        format.open(context);
    }

    /** The row; null for a record without this side, and for one that is skipped. */
    RowData read(byte[] payload, Headers headers) throws IOException {
        Header last = headers.lastHeader(header);
        return format.deserialize(payload, header, last == null ? null : last.value());
    }
}
