package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/** Batches as plain Java sees them: no Arrow library takes part. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrowBatchTest {
    private static final byte[] BROKEN = {0x08};

    @Test
    void hasAColumnForEachFieldAndOneof() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(1)})) {
            assertThat(batch.columns())
                    .extracting(ArrowColumn::name)
                    .containsExactly(
                            "id", "note", "status", "placed", "lines", "counts", "due", "gift",
                            "weight", "blob", "payment");
            assertThat(batch.columns())
                    .extracting(ArrowColumn::format)
                    .containsExactly(
                            "l", "u", "i", "tsn:UTC", "+l", "+m", "tdD", "b", "g", "z", "+s");
            assertThat(batch.columns().get(0).isNullable()).isFalse();
            assertThat(batch.columns().get(1).isNullable()).isTrue();
            assertThat(batch.columns().get(4).children().get(0).children())
                    .extracting(ArrowColumn::name)
                    .containsExactly("sku", "amount", "status");
        }
    }

    @Test
    void valuesAreReadFromDirectBuffers() throws IOException {
        byte[] bare = Shop.message(order -> order.writeInt64(1, 3));
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(7), bare})) {
            ArrowColumn id = batch.columns().get(0);
            ByteBuffer values = id.buffers().get(0);
            assertThat(values.isDirect() && values.isReadOnly()).isTrue();
            assertThat(values.getLong(0)).isEqualTo(7);
            assertThat(values.getLong(8)).isEqualTo(3);
            assertThat(id.validity()).isEmpty();

            ArrowColumn note = batch.columns().get(1);
            assertThat(note.nullCount()).isEqualTo(1);
            Optional<ByteBuffer> validity = note.validity();
            assertThat(validity.orElseThrow().get(0) & 3).isEqualTo(1);
            assertThat(text(note, 0)).isEqualTo("note 7");

            ArrowColumn status = batch.columns().get(2);
            ArrowColumn names = status.dictionary().orElseThrow();
            int key = status.buffers().get(0).getInt(0);
            assertThat(text(names, key)).isEqualTo("PAID");
        }
    }

    private static String text(ArrowColumn column, int at) {
        ByteBuffer offsets = column.buffers().get(0);
        int begin = offsets.getInt(4 * at);
        byte[] bytes = new byte[offsets.getInt(4 * at + 4) - begin];
        column.buffers().get(1).position(begin).get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    @Test
    void columnsCanBeChosen() throws IOException {
        RowType wanted =
                (RowType)
                        DataTypes.ROW(
                                        DataTypes.FIELD("weight", DataTypes.DOUBLE()),
                                        DataTypes.FIELD("id", DataTypes.BIGINT()))
                                .getLogicalType();
        try (ArrowBatchDecoder decoder = Shop.table().columns(wanted).decoder();
                ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(2)})) {
            assertThat(batch.columns())
                    .extracting(ArrowColumn::name)
                    .containsExactly("weight", "id");
            assertThat(batch.columns().get(0).buffers().get(0).getDouble(0)).isEqualTo(0.5);
        }
    }

    @Test
    void columnsThatDoNotFitAreRefused() {
        RowType wanted =
                (RowType)
                        DataTypes.ROW(DataTypes.FIELD("id", DataTypes.BOOLEAN())).getLogicalType();
        assertThatThrownBy(() -> Shop.table().columns(wanted).decoder())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("BOOLEAN cannot hold field id");
        String cyclic = "syntax = \"proto3\"; message A { A a = 1; }";
        assertThatThrownBy(() -> ArrowTable.ofText(cyclic, "A").decoder())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("A holds itself");
        assertThatThrownBy(() -> ArrowTable.ofText("message", "A"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aRefusedRecordIsToldByItsIndex() throws IOException {
        byte[][] records = {Shop.order(1), BROKEN, Shop.order(3)};
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(records)) {
            assertThat(batch.rowCount()).isEqualTo(2);
            assertThat(batch.consumed()).isEqualTo(3);
            RefusedRecord refused = batch.refused().get(0);
            assertThat(refused.index()).isEqualTo(1);
            assertThat(refused.code()).isEqualTo(FailureCode.TRUNCATED);
            assertThat(refused.fieldPath()).isEqualTo("id");
            assertThat(refused.byteOffset()).hasValue(0);
            assertThat(decoder.rows()).isEqualTo(2);
        }
    }

    @Test
    void aSlabReadsAsItsRecords() throws IOException {
        byte[] slab = {0x08, 1, 0x08, 2};
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(slab, new int[] {0, 2, 2, 4})) {
            ByteBuffer ids = batch.columns().get(0).buffers().get(0);
            assertThat(List.of(ids.getLong(0), ids.getLong(8), ids.getLong(16)))
                    .containsExactly(1L, 0L, 2L);
            for (int[] offsets : new int[][] {{0, 5}, {2, 0}, {-1, 2}}) {
                assertThatThrownBy(() -> decoder.decode(slab, offsets))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void noRecordsAreABatchToo() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(new byte[0][])) {
            assertThat(batch.rowCount()).isZero();
            assertThat(batch.columns()).hasSize(11);
        }
    }

    @Test
    void refusesUseAfterClose() throws IOException {
        long before = ArrowBatch.liveBatches();
        ArrowBatchDecoder decoder = Shop.table().decoder();
        ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(1)});
        ArrowColumn id = batch.columns().get(0);
        decoder.close();
        assertThat(id.buffers().get(0).getLong(0)).as("a batch outlives its decoder").isEqualTo(1);
        assertThat(ArrowBatch.liveBatches()).isEqualTo(before + 1);
        batch.close();
        batch.close();
        assertThat(ArrowBatch.liveBatches()).isEqualTo(before);
        assertThatThrownBy(id::buffers).hasMessage("the batch is closed");
        assertThatThrownBy(() -> batch.export(8, 8)).hasMessage("the batch is closed");
        assertThatThrownBy(() -> decoder.decode(new byte[0][]))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void refusesAddressesWhereNoStructCanBe() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(new byte[][] {Shop.order(1)})) {
            for (long[] pair : new long[][] {{0, 0}, {0, 64}, {64, 0}, {64, 65}}) {
                assertThatThrownBy(() -> batch.export(pair[0], pair[1]))
                        .hasMessage("there can be no struct at this address");
            }
            assertThatThrownBy(() -> ArrowBatch.exportStream(List.of(batch), 0))
                    .hasMessage("there can be no struct at this address");
            assertThatThrownBy(() -> ArrowBatch.exportStream(List.of(), 64))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aBatchThatWasDroppedIsReleasedByTheCollector() throws Exception {
        long before = ArrowBatch.liveBatches();
        dropOne();
        for (int tries = 0; tries < 200 && ArrowBatch.liveBatches() > before; tries++) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(ArrowBatch.liveBatches()).isEqualTo(before);
    }

    private static void dropOne() throws IOException {
        try (ArrowBatchDecoder decoder = Shop.table().decoder()) {
            assertThat(decoder.decode(new byte[][] {Shop.order(1)}).rowCount()).isEqualTo(1);
        }
    }
}
