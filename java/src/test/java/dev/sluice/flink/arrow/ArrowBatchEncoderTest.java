package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;

import org.apache.arrow.c.ArrowArray;
import org.apache.arrow.c.ArrowSchema;
import org.apache.arrow.c.Data;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.BigIntVector;
import org.apache.arrow.vector.VarCharVector;
import org.apache.arrow.vector.VectorSchemaRoot;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Batches of ours and of arrow-java become records, and their structs are released. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrowBatchEncoderTest {
    private static final String PAIR =
            "syntax = \"proto3\"; message Pair { int64 id = 1; optional string name = 2; }";

    private final BufferAllocator allocator = new RootAllocator();

    @AfterEach
    void everythingIsReleased() {
        allocator.close(); // fails on a leak
    }

    @Test
    void recordsComeBackAsTheyWere() throws IOException {
        byte[][] records = {Shop.order(4), {}, Shop.order(5)};
        byte[] frame = ArrowTable.frame(7);
        long exports = ArrowBatch.liveExports();
        try (ArrowBatchDecoder decoder = Shop.table().decoder();
                ArrowBatch batch = decoder.decode(records);
                ArrowBatchEncoder encoder = Shop.table().encoder(frame);
                ArrowArray array = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            batch.export(array.memoryAddress(), schema.memoryAddress());
            EncodedRecords encoded = encoder.encode(array.memoryAddress(), schema.memoryAddress());
            assertThat(ArrowBatch.liveExports()).as("the structs were taken").isEqualTo(exports);
            assertThat(encoded.refused()).isEmpty();
            assertThat(encoded.count()).isEqualTo(3);
            assertThat(encoded.consumed()).isEqualTo(3);
            for (int at = 0; at < 3; at++) {
                byte[] record = encoded.record(at);
                assertThat(record).startsWith(frame);
                assertThat(record).endsWith(records[at]);
                assertThat(record).hasSize(frame.length + records[at].length);
            }
        }
    }

    @Test
    void columnsOfArrowJavaAreEncoded() throws IOException {
        try (BigIntVector id = new BigIntVector("id", allocator);
                VarCharVector name = new VarCharVector("name", allocator)) {
            id.allocateNew(3);
            name.allocateNew(3);
            for (int at = 0; at < 3; at++) {
                id.set(at, at + 1L);
            }
            name.set(1, "rope".getBytes(StandardCharsets.UTF_8));
            name.setNull(0);
            name.setNull(2);
            EncodedRecords encoded = encode(new VectorSchemaRoot(List.of(name, id)), 3);
            assertThat(encoded.record(0)).containsExactly(8, 1);
            assertThat(encoded.record(1)).containsExactly(8, 2, 0x12, 4, 'r', 'o', 'p', 'e');
            assertThat(encoded.record(2)).containsExactly(8, 3);
        }
    }

    @Test
    void anEmptyBatchGivesNoRecords() throws IOException {
        try (BigIntVector id = new BigIntVector("id", allocator);
                VarCharVector name = new VarCharVector("name", allocator)) {
            assertThat(encode(new VectorSchemaRoot(List.of(id, name)), 0).count()).isZero();
        }
    }

    @Test
    void aRowThatCannotBeWrittenIsToldByItsIndex() throws IOException {
        try (BigIntVector id = new BigIntVector("id", allocator);
                VarCharVector name = new VarCharVector("name", allocator)) {
            id.allocateNew(2);
            id.setNull(0);
            id.set(1, 5);
            name.allocateNew(2);
            EncodedRecords encoded = encode(new VectorSchemaRoot(List.of(id, name)), 2);
            assertThat(encoded.refused()).hasSize(1);
            assertThat(encoded.refused().get(0).index()).isZero();
            assertThat(encoded.refused().get(0).code()).isEqualTo(FailureCode.NULL_IN_NOT_NULL);
            assertThat(encoded.refused().get(0).fieldPath()).isEqualTo("id");
            assertThat(encoded.record(0)).containsExactly(8, 5);
        }
    }

    @Test
    void aBatchOfOtherColumnsIsRefusedAndReleased() {
        try (BigIntVector id = new BigIntVector("id", allocator);
                BigIntVector name = new BigIntVector("name", allocator)) {
            id.allocateNew(1);
            name.allocateNew(1);
            assertThatThrownBy(() -> encode(new VectorSchemaRoot(List.of(id)), 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("the batch has no such column (column name)");
            assertThatThrownBy(() -> encode(new VectorSchemaRoot(List.of(id, name)), 1))
                    .hasMessageContaining("Int64 is no VARCHAR (column name)");
        }
    }

    @Test
    void refusesAddressesWhereNoStructCanBe() throws IOException {
        try (ArrowBatchEncoder encoder = table().encoder(new byte[0])) {
            for (long[] pair : new long[][] {{0, 0}, {0, 64}, {65, 64}}) {
                assertThatThrownBy(() -> encoder.encode(pair[0], pair[1]))
                        .isInstanceOf(IllegalArgumentException.class);
            }
        }
    }

    @Test
    void columnsThatCannotBeWrittenAreRefused() {
        String required =
                "syntax = \"proto2\"; message M { required int32 a = 1; oneof o { M m = 2; } }";
        assertThatThrownBy(() -> ArrowTable.ofText(required, "M").encoder(new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private static ArrowTable table() {
        return ArrowTable.ofText(PAIR, "Pair");
    }

    private EncodedRecords encode(VectorSchemaRoot root, int rows) throws IOException {
        root.setRowCount(rows);
        try (ArrowBatchEncoder encoder = table().encoder(new byte[0]);
                ArrowArray array = ArrowArray.allocateNew(allocator);
                ArrowSchema schema = ArrowSchema.allocateNew(allocator)) {
            Data.exportVectorSchemaRoot(allocator, root, null, array, schema);
            return encoder.encode(array.memoryAddress(), schema.memoryAddress());
        }
    }
}
