package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.ByteBuffer;
import java.util.Map;

/** Counts by message are bounded, however many messages a topic has over time. */
class MessageCountsTest {
    private static final int OTHERS = 20;

    /** Each id has a message of its own. */
    private static final WriterSchemas SCHEMAS =
            new WriterSchemas() {
                @Override
                public WriterMessage resolve(SchemaKey key, int[] indexes) {
                    try {
                        String text =
                                "syntax = 'proto3'; message M" + key.id() + " { int64 id = 1; }";
                        return WriterMessage.of(
                                WriterSchema.of(text, Map.of()),
                                indexes,
                                SchemaOrigin.ofId(key.id(), null));
                    } catch (SchemaException e) {
                        throw new AssertionError(e);
                    }
                }
            };

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void messagesBeyondTheBoundAreCountedTogether(Engine engine) throws Exception {
        PlanBuilder plan = Records.plan(Records.row("id BIGINT"));
        try (RecordDecoder decoder = Records.open(engine, plan, SCHEMAS)) {
            int messages = RecordDecoder.MESSAGES_MAX + OTHERS;
            for (int round = 0; round < 2; round++) {
                for (int id = 1; id <= messages; id++) {
                    byte[] record = ByteBuffer.allocate(8).put((byte) 0).putInt(id).array();
                    record[6] = 8;
                    assertThat(decoder.decode(record)).hasSize(16);
                }
            }
            Map<String, Long> counts = decoder.recordsByMessage();
            assertThat(counts).hasSize(RecordDecoder.MESSAGES_MAX + 1);
            assertThat(counts).containsEntry("M1", 2L).containsEntry("M1000", 2L);
            assertThat(counts).containsEntry(RecordDecoder.OTHER_MESSAGES, 2L * OTHERS);
            assertThat(decoder.records()).isEqualTo(2L * messages);
        }
    }
}
