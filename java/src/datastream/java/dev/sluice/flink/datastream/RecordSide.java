package dev.sluice.flink.datastream;

import dev.sluice.flink.engine.Frame;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.kafka.ProducerHeaders;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.Headers;

import java.io.IOException;
import java.io.Serializable;
import java.util.Arrays;
import java.util.OptionalLong;

/**
 * Reads keys or values. A header that names the schema says what would stand in front of the
 * message if it were in the payload (W15, W18, W19), and is put there. Belongs to one task thread.
 */
final class RecordSide implements Serializable {
    private static final long serialVersionUID = 1L;

    /** A frame that is refused, of a record whose header is broken: minus one message indexes. */
    private static final byte[] REFUSED = {0, 0, 0, 0, 0, 1};

    private final String header; // its name
    private final DeserializationSchema<RowData> format;

    // Most records of a topic have the same header as the one before.
    private transient byte[] lastHeader;
    private transient byte[] lastFrame; // null: the header is broken

    private RecordSide(String header, DeserializationSchema<RowData> format) {
        this.header = header;
        this.format = format;
    }

    static RecordSide ofKey(DeserializationSchema<RowData> format) {
        return new RecordSide(ProducerHeaders.KEY, format);
    }

    static RecordSide ofValue(DeserializationSchema<RowData> format) {
        return new RecordSide(ProducerHeaders.VALUE, format);
    }

    void open(DeserializationSchema.InitializationContext context) throws Exception {
        format.open(context);
    }

    /** The row; null for a record without this side, and for one that is skipped. */
    RowData read(byte[] payload, Headers headers) throws IOException {
        Header last = payload == null ? null : headers.lastHeader(header);
        if (last == null || last.value() == null) {
            return format.deserialize(payload);
        }
        byte[] frame = frame(last.value());
        byte[] prefix = frame == null ? REFUSED : frame;
        byte[] framed = Arrays.copyOf(prefix, prefix.length + payload.length);
        System.arraycopy(payload, 0, framed, prefix.length, payload.length);
        try {
            return format.deserialize(framed);
        } catch (RecordException e) {
            throw frame == null ? broken(last.value(), e) : e.without(frame.length);
        }
    }

    /** What the header says, without bytes behind it. */
    private byte[] frame(byte[] value) {
        if (!Arrays.equals(value, lastHeader)) {
            try {
                lastFrame = Arrays.copyOf(value, Frame.read(value).messageOffset());
            } catch (RecordException e) {
                lastFrame = null;
            }
            lastHeader = value;
        }
        return lastFrame;
    }

    private RecordException broken(byte[] value, RecordException refused) {
        try {
            Frame.read(value);
            return refused;
        } catch (RecordException why) {
            return new RecordException(
                    why.code(),
                    String.format("header '%s' is broken: %s", header, why.reason()),
                    null,
                    "",
                    "",
                    OptionalLong.empty(),
                    null);
        }
    }
}
