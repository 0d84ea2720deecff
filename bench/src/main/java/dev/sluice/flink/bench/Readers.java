package dev.sluice.flink.bench;

import com.google.protobuf.Parser;

import dev.sluice.flink.bench.table.TableDecoder;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Contenders that read, opened for one payload. */
final class Readers {
    private static final Set<String> WITH_TABLE_DECODER = Set.of("flat", "nested", "wide");
    private static final int SAMPLE = 1000;

    private final Payload payload;
    private final Formats formats;

    Readers(Payload payload) {
        this.payload = payload;
        formats = new Formats(payload);
    }

    /**
     * Those that give rows, verified to give the same ones.
     *
     * <p>Each is a lambda of its own on purpose: see {@link Contender#withOwnLoop}.
     */
    Map<String, RecordReader> verified() throws Exception {
        Map<String, RecordReader> readers = new LinkedHashMap<>();
        DeserializationSchema<RowData> flink = formats.flinkReader();
        readers.put(Measurement.FLINK, record -> flink.deserialize(record));
        readers.put("dynamic", new DynamicReader(payload));
        if (WITH_TABLE_DECODER.contains(payload.name())) {
            TableDecoder table = new TableDecoder(payload.descriptor(), payload.row());
            readers.put("java-table", record -> table.decode(record));
        }
        DeserializationSchema<RowData> java = formats.binaryReader("java");
        readers.put("java", record -> java.deserialize(record));
        DeserializationSchema<RowData> generic = formats.genericReader("native");
        readers.put("native-generic", record -> generic.deserialize(record));
        DeserializationSchema<RowData> binary = formats.binaryReader("native");
        readers.put("native-binary", record -> binary.deserialize(record));
        Agreement agreement = agreement();
        for (Map.Entry<String, RecordReader> reader : readers.entrySet()) {
            agreement.require(reader.getKey(), reader.getValue(), payload.records());
        }
        return readers;
    }

    /** What all others are held against. */
    Agreement agreement() throws Exception {
        DeserializationSchema<RowData> reference = formats.flinkReader();
        return new Agreement(payload.row(), reference::deserialize);
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

    private int meanRowBytes() throws Exception {
        DeserializationSchema<RowData> reader = formats.binaryReader("native");
        int sample = Math.min(SAMPLE, payload.records().length);
        long bytes = 0;
        for (int i = 0; i < sample; i++) {
            bytes += ((BinaryRowData) reader.deserialize(payload.records()[i])).getSizeInBytes();
        }
        return (int) (bytes / sample);
    }
}
