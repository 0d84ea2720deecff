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
        Entrants<RecordReader> readers = new Entrants<>(payload);
        readers.add(
                Measurement.FLINK,
                () -> {
                    DeserializationSchema<RowData> flink = formats.flinkReader();
                    return record -> flink.deserialize(record);
                });
        readers.add("dynamic", () -> new DynamicReader(payload));
        if (WITH_TABLE_DECODER.contains(payload.name())) {
            readers.add(
                    "java-table",
                    () -> {
                        TableDecoder table = new TableDecoder(payload.descriptor(), payload.row());
                        return record -> table.decode(record);
                    });
        }
        readers.add(
                "java",
                () -> {
                    DeserializationSchema<RowData> java = formats.binaryReader("java");
                    return record -> java.deserialize(record);
                });
        readers.add(
                "native-generic",
                () -> {
                    DeserializationSchema<RowData> generic = formats.genericReader("native");
                    return record -> generic.deserialize(record);
                });
        readers.add(
                "native-binary",
                () -> {
                    DeserializationSchema<RowData> binary = formats.binaryReader("native");
                    return record -> binary.deserialize(record);
                });
        Agreement agreement = agreement();
        return readers.verified(
                (name, reader) -> agreement.require(name, reader, payload.records()));
    }

    /** What all others are held against: Flink's format, or the engine in Java where it cannot. */
    Agreement agreement() throws Exception {
        DeserializationSchema<RowData> reference = reference();
        return new Agreement(payload.row(), reference::deserialize);
    }

    private DeserializationSchema<RowData> reference() throws Exception {
        try {
            return formats.flinkReader();
        } catch (Exception e) {
            if (Payloads.isKnown(payload.name())) {
                throw e;
            }
            return formats.binaryReader("java");
        }
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
