package dev.sluice.flink.bench;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Who runs on which path, opened and verified. */
final class Contenders {
    private final Payload payload;
    private final byte[][][] batches;

    private Contenders(Payload payload) {
        this.payload = payload;
        batches = payload.batches(Settings.BATCH);
    }

    static List<Contender> of(String path, Payload payload) throws Exception {
        Contenders contenders = new Contenders(payload);
        Writers writers = new Writers(payload);
        switch (path) {
            case "decode":
                return Topic.isNamed(payload.name())
                        ? new Topic(payload).decode()
                        : contenders.decode();
            case "decode-cold":
                return contenders.decode();
            case "decode-polled":
                return contenders.polled();
            case "columnar-read":
                return new ColumnarView(payload).contenders(true);
            case "columnar-downstream":
                return new ColumnarView(payload).contenders(false);
            case "decode-downstream":
                return contenders.downstream();
            case "encode":
                return contenders.encode(writers, "native-binary", writers.binaryRows());
            case "encode-generic":
                return contenders.encode(writers, "native-generic", writers.genericRows());
            case "encode-generic-text":
                return contenders.encode(writers, "native-generic", writers.genericTextRows());
            default:
                throw new IllegalArgumentException("no path is called " + path);
        }
    }

    private List<Contender> decode() throws Exception {
        Readers opened = new Readers(payload);
        Map<String, RecordReader> readers = new LinkedHashMap<>(opened.verified());
        readers.putAll(opened.floors());
        List<Contender> contenders = new ArrayList<>();
        for (Map.Entry<String, RecordReader> each : readers.entrySet()) {
            contenders.add(
                    Contender.withOwnLoop(each.getKey(), ReadLoop.class, batches, each.getValue()));
        }
        return contenders;
    }

    private List<Contender> downstream() throws Exception {
        List<Contender> contenders = new ArrayList<>();
        for (Map.Entry<String, RecordReader> each : new Readers(payload).verified().entrySet()) {
            contenders.add(
                    Contender.withOwnLoop(
                            each.getKey(),
                            DownstreamLoop.class,
                            batches,
                            each.getValue(),
                            payload.row(),
                            false));
        }
        return contenders;
    }

    /**
     * Without the interceptor, what it leaves to the task, what the consumer's thread does, and
     * both where each record is alone in its poll.
     */
    private List<Contender> polled() throws Exception {
        Formats formats = new Formats(payload);
        DeserializationSchema<RowData> flink = formats.flinkReader();
        DeserializationSchema<RowData> single = formats.binaryReader("native");
        DeserializationSchema<RowData> task = formats.binaryReader("native");
        DeserializationSchema<RowData> consumer = formats.binaryReader("native");
        RecordReader ofTask = record -> task.deserialize(record);
        new Readers(payload).agreement().require("native-batch", ofTask, payload.records());
        DeserializationSchema<RowData> alone = formats.binaryReader("native");
        RecordReader ofConsumer = record -> consumer.deserialize(record);
        return List.of(
                Contender.withOwnLoop(
                        Measurement.FLINK,
                        ReadLoop.class,
                        batches,
                        (RecordReader) record -> flink.deserialize(record)),
                Contender.withOwnLoop(
                        "native-binary",
                        ReadLoop.class,
                        batches,
                        (RecordReader) record -> single.deserialize(record)),
                Contender.withOwnLoop("native-batch", PollLoop.class, copies(), ofTask, false),
                Contender.withOwnLoop(
                        "native-batch-consumer", PollLoop.class, copies(), ofConsumer, true),
                Contender.withOwnLoop(
                        "native-batch-alone",
                        AloneLoop.class,
                        copies(),
                        (RecordReader) record -> alone.deserialize(record)));
    }

    private byte[][][] copies() {
        byte[][][] copies = payload.batches(Settings.BATCH);
        for (byte[][] batch : copies) {
            Arrays.setAll(batch, at -> batch[at].clone());
        }
        return copies;
    }

    private List<Contender> encode(Writers writers, String ours, RecordReader source)
            throws Exception {
        List<Contender> contenders = new ArrayList<>();
        for (Map.Entry<String, RowWriter> each : writers.verified(ours, source).entrySet()) {
            contenders.add(
                    Contender.withOwnLoop(
                            each.getKey(), WriteLoop.class, batches, source, each.getValue()));
        }
        return contenders;
    }
}
