package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowArrayStream;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.CDataDictionaryProvider;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.FieldVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.apache.arrow.vector.dictionary.DictionaryEncoder;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.util.Text;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** arrow-java imports what is exported, value for value, and gives the memory back. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrowJavaImportTest {
    private final BufferAllocator allocator = new RootAllocator();
    private long exportsBefore;

    @BeforeEach
    void count() {
        exportsBefore = ArrowBatch.liveExports();
    }

    @AfterEach
    void everythingIsReleased() {
        allocator.close(); // fails on a leak of its own
        assertThat(ArrowBatch.liveExports()).isEqualTo(exportsBefore);
    }

    private interface Check {
        void on(VectorSchemaRoot root, CDataDictionaryProvider dictionaries) throws IOException;
    }

    private void imported(byte[][] records, Check check) throws IOException {
        try (ArrowArray array = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator);
                CDataDictionaryProvider dictionaries = new CDataDictionaryProvider()) {
            try (ArrowBatchDecoder decoder = Shop.table().decoder();
                    ArrowBatch batch = decoder.decode(records)) {
                batch.export(array.memoryAddress(), schema.memoryAddress());
            }
            // Decoder and batch are gone.
            assertThat(ArrowBatch.liveExports()).isEqualTo(exportsBefore + 1);
            try (VectorSchemaRoot root =
                    Data.importVectorSchemaRoot(allocator, array, schema, dictionaries)) {
                check.on(root, dictionaries);
            }
        }
    }

    @Test
    void everyColumnHasTheRecordsValues() throws IOException {
        byte[] empty = {};
        imported(
                new byte[][] {Shop.order(5), empty, Shop.order(9)},
                (root, dictionaries) -> {
                    assertThat(root.getRowCount()).isEqualTo(3);
                    assertThat(column(root, "id")).containsExactly(5L, 0L, 9L);
                    assertThat(column(root, "note"))
                            .containsExactly(new Text("note 5"), null, new Text("note 9"));
                    assertThat(column(root, "placed"))
                            .containsExactly(
                                    1_700_000_005_123_456_789L, null, 1_700_000_009_123_456_789L);
                    assertThat(column(root, "due")).containsExactly(20_787, null, 20_787);
                    assertThat(column(root, "gift")).containsExactly(true, false, true);
                    assertThat(column(root, "weight")).containsExactly(1.25, 0.0, 2.25);
                    assertThat((byte[]) root.getVector("blob").getObject(2))
                            .containsExactly(1, 2, 9);
                    assertThat(root.getVector("lines").getObject(0).toString())
                            .contains("sku-0", "sku-1");
                    assertThat((List<?>) root.getVector("lines").getObject(1)).isEmpty();
                    assertThat(root.getVector("counts").getObject(2).toString())
                            .isEqualTo("[{\"key\":\"k\",\"value\":9}]");
                    assertThat((Map<?, ?>) root.getVector("payment").getObject(0)).hasSize(1);
                    assertThat(root.getVector("payment").getObject(1)).isNull();
                    FieldVector status = root.getVector("status");
                    long dictionary = status.getField().getDictionary().getId();
                    try (FieldVector names =
                            (FieldVector)
                                    DictionaryEncoder.decode(
                                            status, dictionaries.lookup(dictionary))) {
                        assertThat(names.getObject(0)).isEqualTo(new Text("PAID"));
                        assertThat(names.getObject(1)).isEqualTo(new Text("NEW"));
                    }
                });
    }

    @Test
    void aBatchWithoutRowsIsImportedToo() throws IOException {
        imported(new byte[0][], (root, dictionaries) -> assertThat(root.getRowCount()).isZero());
    }

    @Test
    void aStreamGivesBatchAfterBatch() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch first = decoder.decode(new byte[][] {Shop.order(1), Shop.order(2)});
                ArrowBatch second = decoder.decode(new byte[][] {Shop.order(3)});
                ArrowArrayStream stream = ArrowArrayStream.allocateNew(allocator)) {
            ArrowBatch.exportStream(List.of(first, second), stream.memoryAddress());
            List<Object> ids = new ArrayList<>();
            try (ArrowReader reader = Data.importArrayStream(allocator, stream)) {
                while (reader.loadNextBatch()) {
                    ids.addAll(column(reader.getVectorSchemaRoot(), "id"));
                }
            }
            assertThat(ids).containsExactly(1L, 2L, 3L);
        }
    }

    @Test
    void anExportThatNobodyImportsIsReleasedByItsOwner() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(1)});
                ArrowArray array = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            batch.export(array.memoryAddress(), schema.memoryAddress());
            array.release();
            schema.release();
        }
    }

    private static List<Object> column(VectorSchemaRoot root, String name) {
        List<Object> values = new ArrayList<>();
        FieldVector vector = root.getVector(name);
        for (int at = 0; at < root.getRowCount(); at++) {
            values.add(vector.getObject(at));
        }
        return values;
    }
}
