package dev.sluice.flink.bench;

import com.google.protobuf.Parser;

import dev.sluice.flink.ProtobufNativeFormatFactory;
import dev.sluice.flink.bench.table.TableDecoder;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.formats.protobuf.PbFormatFactory;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Contenders of the path {@code decode}, opened for one payload. */
final class Readers {
    static final String FLINK = "flink";

    private static final Set<String> WITH_TABLE_DECODER = Set.of("flat", "nested", "wide");
    private static final int SAMPLE = 1000;

    private final Payload payload;

    Readers(Payload payload) {
        this.payload = payload;
    }

    /**
     * Those that give rows, verified to give the same ones.
     *
     * <p>Each is a lambda of its own on purpose: see {@link Contender#withOwnLoop}.
     */
    Map<String, RecordReader> verified() throws Exception {
        Map<String, RecordReader> readers = new LinkedHashMap<>();
        DeserializationSchema<RowData> flink = flink();
        readers.put(FLINK, record -> flink.deserialize(record));
        readers.put("dynamic", new DynamicReader(payload.descriptor(), payload.row()));
        if (WITH_TABLE_DECODER.contains(payload.name())) {
            TableDecoder table = new TableDecoder(payload.descriptor(), payload.row());
            readers.put("java-table", record -> table.decode(record));
        }
        DeserializationSchema<RowData> java = ours("kafka", "java");
        readers.put("java", record -> java.deserialize(record));
        DeserializationSchema<RowData> generic = ours("filled-in", "native");
        readers.put("native-generic", record -> generic.deserialize(record));
        DeserializationSchema<RowData> binary = ours("kafka", "native");
        readers.put("native-binary", record -> binary.deserialize(record));
        DeserializationSchema<RowData> reference = flink();
        Agreement agreement = new Agreement(payload.row(), reference::deserialize);
        for (Map.Entry<String, RecordReader> reader : readers.entrySet()) {
            agreement.require(reader.getKey(), reader.getValue(), payload.records());
        }
        return readers;
    }

    /** Those that stop short of rows, and tell how much is left to win. */
    Map<String, RecordReader> floors() throws Exception {
        Map<String, RecordReader> floors = new LinkedHashMap<>();
        Parser<?> parser = payload.prototype().getParserForType();
        floors.put("parse-floor", record -> parser.parseFrom(record));
        JniFloor jni = new JniFloor(payload.row(), meanRowBytes());
        jni.require(payload.records()[0]);
        floors.put("jni-floor", jni);
        return floors;
    }

    DeserializationSchema<RowData> flink() throws Exception {
        return format("kafka", Map.of()).openReader(new PbFormatFactory());
    }

    /**
     * @param connector {@code kafka} is given binary rows, others generic ones
     */
    DeserializationSchema<RowData> ours(String connector, String engine) throws Exception {
        return format(connector, Map.of("engine", engine))
                .openReader(new ProtobufNativeFormatFactory());
    }

    private TableFormat format(String connector, Map<String, String> more) {
        Map<String, String> options = new HashMap<>(more);
        options.put("message-class-name", payload.className());
        options.put("read-default-values", Boolean.toString(payload.readDefaults()));
        return new TableFormat(payload.row(), connector, options);
    }

    private int meanRowBytes() throws Exception {
        DeserializationSchema<RowData> reader = ours("kafka", "native");
        int sample = Math.min(SAMPLE, payload.records().length);
        long bytes = 0;
        for (int i = 0; i < sample; i++) {
            bytes += ((BinaryRowData) reader.deserialize(payload.records()[i])).getSizeInBytes();
        }
        return (int) (bytes / sample);
    }
}
