package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who runs on which path, opened and verified. */
final class Contenders {
    private Contenders() {}

    static List<Contender> of(String path, Payload payload) throws Exception {
        switch (path) {
            case "decode":
            case "decode-cold":
                return decode(payload);
            default:
                throw new IllegalArgumentException("no path is called " + path);
        }
    }

    private static List<Contender> decode(Payload payload) throws Exception {
        Readers opened = new Readers(payload);
        Map<String, RecordReader> readers = new HashMap<>(opened.verified());
        readers.putAll(opened.floors());
        byte[][][] batches = payload.batches(Settings.BATCH);
        List<Contender> contenders = new ArrayList<>();
        for (Map.Entry<String, RecordReader> each : readers.entrySet()) {
            contenders.add(
                    Contender.withOwnLoop(each.getKey(), ReadLoop.class, batches, each.getValue()));
        }
        return contenders;
    }
}
