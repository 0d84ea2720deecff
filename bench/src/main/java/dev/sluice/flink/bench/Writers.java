package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.RowData;

import java.util.Map;

/** Contenders that write, opened for one payload. */
final class Writers {
    private static final int VERIFIED = 1000;

    private final Payload payload;
    private final Formats formats;

    Writers(Payload payload) {
        this.payload = payload;
        formats = new Formats(payload);
    }

    /**
     * Verified to write what reads as the row that was written.
     *
     * @param ours the name of native code in the results
     * @param source of the rows
     */
    Map<String, RowWriter> verified(String ours, RecordReader source) throws Exception {
        Entrants<RowWriter> writers = new Entrants<>(payload);
        writers.add(
                Measurement.FLINK,
                () -> {
                    SerializationSchema<RowData> flink = formats.flinkWriter();
                    return row -> flink.serialize(row);
                });
        writers.add("dynamic", () -> new DynamicWriter(payload.descriptor(), payload.row()));
        writers.add(
                "java",
                () -> {
                    SerializationSchema<RowData> java = formats.writer("java");
                    return row -> java.serialize(row);
                });
        writers.add(
                ours,
                () -> {
                    SerializationSchema<RowData> nativeCode = formats.writer("native");
                    return row -> nativeCode.serialize(row);
                });
        Agreement agreement = new Readers(payload).agreement();
        RowData[] rows = new RowData[Math.min(VERIFIED, payload.records().length)];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = (RowData) source.read(payload.records()[i]);
        }
        return writers.verified(
                (name, writer) -> agreement.requireWriter(name, writer, rows, payload.records()));
    }

    /** Rows of bytes, as they come from our reader or out of a shuffle. */
    RecordReader binaryRows() throws Exception {
        DeserializationSchema<RowData> reader = formats.binaryReader("native");
        return record -> reader.deserialize(record);
    }

    /** Rows of objects, texts as bytes: as SQL functions and our reader make them. */
    RecordReader genericRows() throws Exception {
        DeserializationSchema<RowData> reader = formats.genericReader("native");
        return record -> reader.deserialize(record);
    }

    /** Rows of objects, texts as characters: as Flink's own formats make them. */
    RecordReader genericTextRows() throws Exception {
        DeserializationSchema<RowData> reader = formats.flinkReader();
        return record -> reader.deserialize(record);
    }
}
