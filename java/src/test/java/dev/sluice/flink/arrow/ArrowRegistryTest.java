package dev.sluice.flink.arrow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;

/** Batches of records that name their schemas. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ArrowRegistryTest {
    private static final String SUBJECT = "orders-value";
    private static final String OLD = "syntax = \"proto3\"; message Order { int32 id = 1; }";
    private static final String NEW =
            "syntax = \"proto3\"; message Order { int32 id = 1; int32 amount = 2; }";

    private TestRegistry registry;
    private int oldId;
    private int newId;

    @BeforeEach
    void start() throws IOException {
        registry = TestRegistry.start();
        oldId = registry.register(SUBJECT, Submission.protobuf(OLD));
        newId = registry.register(SUBJECT, Submission.protobuf(NEW));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private ArrowTable table() {
        return ArrowTable.ofRegistry(registry.url(), Map.of("max.retries", "0"), SUBJECT);
    }

    private static byte[] framed(int schemaId, int... message) {
        byte[] frame = ArrowTable.frame(schemaId);
        ByteBuffer record = ByteBuffer.allocate(frame.length + message.length).put(frame);
        for (int octet : message) {
            record.put((byte) octet);
        }
        return record.array();
    }

    @Test
    void eachRecordIsReadWithItsOwnSchema() throws IOException {
        byte[][] records = {framed(oldId, 8, 1), framed(newId, 8, 2, 16, 5), {8, 3, 16, 6}};
        try (ArrowBatchDecoder decoder = table().decoder();
                ArrowBatch batch = decoder.decode(records)) {
            assertThat(batch.refused()).isEmpty();
            assertThat(batch.columns())
                    .extracting(ArrowColumn::name)
                    .containsExactly("id", "amount");
            // Not all schemas of the subject have it.
            assertThat(batch.columns().get(1).nullCount()).isEqualTo(1);
            ByteBuffer ids = batch.columns().get(0).buffers().get(0);
            assertThat(new int[] {ids.getInt(0), ids.getInt(4), ids.getInt(8)})
                    .containsExactly(1, 2, 3);
        }
    }

    @Test
    void aSchemaThatIsNotThereRefusesItsRecordsOnly() throws IOException {
        byte[][] records = {framed(999, 8, 1), framed(newId, 8, 2), framed(999, 8, 3), {0, 0}};
        try (ArrowBatchDecoder decoder = table().decoder();
                ArrowBatch batch = decoder.decode(records)) {
            assertThat(batch.rowCount()).isEqualTo(1);
            assertThat(batch.consumed()).isEqualTo(4);
            assertThat(batch.refused()).extracting(RefusedRecord::index).containsExactly(0, 2, 3);
            assertThat(batch.refused())
                    .extracting(RefusedRecord::code)
                    .containsExactly(
                            FailureCode.SCHEMA_NOT_FOUND,
                            FailureCode.SCHEMA_NOT_FOUND,
                            FailureCode.BAD_FRAME);
        }
    }

    @Test
    void aRegistryThatIsDownFailsTheCallAndLosesNothing() throws IOException {
        byte[][] records = {framed(newId, 8, 1), framed(oldId, 8, 2)};
        long before = ArrowBatch.liveBatches();
        try (ArrowBatchDecoder decoder = table().decoder()) {
            registry.failNext(Fault.error(503, 50003));
            assertThatThrownBy(() -> decoder.decode(records)).isInstanceOf(IOException.class);
            assertThat(ArrowBatch.liveBatches()).isEqualTo(before);
            try (ArrowBatch batch = decoder.decode(records)) {
                assertThat(batch.rowCount()).as("no row of the failed call").isEqualTo(2);
            }
        }
    }
}
