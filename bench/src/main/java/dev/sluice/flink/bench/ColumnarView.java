package dev.sluice.flink.bench;

import dev.sluice.flink.arrow.ArrowBatch;
import dev.sluice.flink.arrow.ArrowBatchDecoder;
import dev.sluice.flink.arrow.ArrowTable;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Who runs on the paths {@code columnar-downstream} and {@code columnar-read}: rows of bytes, and a
 * view of Arrow columns that is a prototype for this bench only.
 */
final class ColumnarView {
    private static final Path TEXTS = Path.of("bench", "src", "main", "proto");

    private final Payload payload;

    ColumnarView(Payload payload) {
        this.payload = payload;
    }

    List<Contender> contenders(boolean isOnlyRead) throws Exception {
        byte[][][] batches = payload.batches(Settings.BATCH);
        DeserializationSchema<RowData> binary = new Formats(payload).binaryReader("native");
        RecordReader rows = record -> binary.deserialize(record);
        requireEqual();
        Class<? extends Contender.Work> loop = DownstreamLoop.class;
        return List.of(
                Contender.withOwnLoop(
                        "native-binary", loop, batches, rows, payload.row(), isOnlyRead),
                Contender.withOwnLoop(
                        "native-arrow-view",
                        ColumnarLoop.class,
                        batches,
                        decoder(),
                        payload.row(),
                        isOnlyRead));
    }

    private void requireEqual() throws Exception {
        List<ArrowBatch> held = new ArrayList<>(); // rows are read in place
        try (ArrowBatchDecoder decoder = decoder()) {
            RecordReader view =
                    record -> {
                        ArrowBatch one = decoder.decode(new byte[][] {record});
                        held.add(one);
                        return new ColumnarRow(ColumnarColumn.columns(one.columns()), 0);
                    };
            new Readers(payload).agreement().require("native-arrow-view", view, payload.records());
        }
        held.forEach(ArrowBatch::close);
    }

    private ArrowBatchDecoder decoder() throws IOException {
        String name = payload.descriptor().getFullName();
        return ArrowTable.ofText(text(payload.name()), Map.of("flat.proto", text("flat")), name)
                .columns(payload.row())
                .decoder();
    }

    private static String text(String name) throws IOException {
        return Files.readString(TEXTS.resolve(name + ".proto"));
    }
}
