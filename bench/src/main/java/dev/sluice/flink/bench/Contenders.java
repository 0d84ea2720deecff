package dev.sluice.flink.bench;

import java.util.ArrayList;
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
                            payload.row()));
        }
        return contenders;
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
