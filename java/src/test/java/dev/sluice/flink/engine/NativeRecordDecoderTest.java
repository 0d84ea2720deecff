package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class NativeRecordDecoderTest {
    private static final byte[] PLAN = Orders.plan().build().toByteArray();
    private static final byte[] SCHEMA = Orders.schema().build().toByteArray();

    /** Answers every question with one schema and keeps the questions. */
    private static final class Asked implements WriterSchemas {
        private final List<String> questions = new ArrayList<>();

        @Override
        public WriterMessage resolve(SchemaKey key, int[] indexes) {
            questions.add(key + " " + Arrays.toString(indexes));
            return message(SCHEMA);
        }
    }

    /** Native code asks for no descriptor. */
    private static WriterMessage message(byte[] resolved) {
        return new WriterMessage(resolved, null, SchemaOrigin.NONE);
    }

    @Test
    void asksOncePerFrame() throws Exception {
        Asked asked = new Asked();
        byte[] second = Orders.framed(new byte[] {0, 0, 0, 0, 8, 2, 2}, Orders.message(2, "two"));
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, asked)) {
            for (int round = 0; round < 3; round++) {
                assertThat(Orders.text(decoder.decode(Orders.record(1, "one")))).isEqualTo("1 one");
                assertThat(Orders.text(decoder.decode(second))).isEqualTo("2 two");
            }
            assertThat(decoder.records()).isEqualTo(6);
        }
        assertThat(asked.questions).containsExactly("schema id 7 [0]", "schema id 8 [1]");
    }

    @Test
    void manyFramesInTurnKeepTheirSchemas() throws Exception {
        Asked asked = new Asked();
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, asked)) {
            for (int round = 0; round < 1000; round++) {
                byte[] frame = {0, 0, 0, 0, (byte) (round * 7 % 40), 0};
                byte[] record = Orders.framed(frame, Orders.message(round, "x"));
                assertThat(Orders.text(decoder.decode(record))).isEqualTo(round + " x");
            }
        }
        assertThat(asked.questions).hasSize(40);
    }

    @Test
    void aRefusedRecordNamesItsSchemaAndPlace() throws Exception {
        byte[] cut = Orders.framed(Orders.FRAME, new byte[] {0x12, 5, 's', 'e', 'c'});
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, new Asked())) {
            assertThatThrownBy(() -> decoder.decode(cut))
                    .isInstanceOfSatisfying(
                            RecordException.class,
                            e -> {
                                assertThat(e.code()).isEqualTo(FailureCode.TRUNCATED);
                                assertThat(e.schemaKey()).isEqualTo(SchemaKey.ofId(7));
                                assertThat(e.messageName()).isEqualTo("shop.v1.Order");
                            })
                    .hasMessageContaining("[truncated 101]")
                    .hasMessageContaining("schema id 7, message shop.v1.Order")
                    .hasMessageNotContaining("sec");
            assertThat(Orders.text(decoder.decode(Orders.record(1, "one")))).isEqualTo("1 one");
            assertThat(decoder.records()).isEqualTo(1);
        }
    }

    @Test
    void aBadFrameAsksNobody() throws Exception {
        Asked asked = new Asked();
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, asked)) {
            assertThatThrownBy(() -> decoder.decode("{\"id\":7}".getBytes()))
                    .isInstanceOfSatisfying(
                            RecordException.class,
                            e -> assertThat(e.code()).isEqualTo(FailureCode.BAD_FRAME));
        }
        assertThat(asked.questions).isEmpty();
    }

    @Test
    void aFrameThatIsWrongBehindItsIdNamesTheId() throws Exception {
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, new Asked())) {
            assertThatThrownBy(() -> decoder.decode(new byte[] {0, 0, 0, 0, 7}))
                    .hasMessage(
                            "[bad-frame 201] the record ends inside the message indexes"
                                    + " (schema id 7, byte 5)");
        }
    }

    @Test
    void whatTheRegistrySaysReachesTheCallerAndIsAskedAgain() throws Exception {
        IOException down = new IOException("registry is down");
        List<IOException> answers = new ArrayList<>(List.of(down));
        WriterSchemas schemas =
                (key, indexes) -> {
                    if (answers.isEmpty()) {
                        return message(SCHEMA);
                    }
                    throw answers.remove(0);
                };
        try (RecordDecoder decoder = new NativeRecordDecoder(PLAN, schemas)) {
            assertThatThrownBy(() -> decoder.decode(Orders.record(1, "one"))).isSameAs(down);
            assertThat(Orders.text(decoder.decode(Orders.record(1, "one")))).isEqualTo("1 one");
        }
    }

    @Test
    void aSchemaThatDoesNotFitNamesItsId() throws Exception {
        byte[] other =
                Orders.schema()
                        .setMessages(
                                0,
                                ResolvedMessage.newBuilder()
                                        .setFullName("shop.v1.Order")
                                        .addFields(Orders.field("id", 1, FieldKind.FIELD_BYTES)))
                        .build()
                        .toByteArray();
        try (RecordDecoder decoder =
                new NativeRecordDecoder(PLAN, (key, indexes) -> message(other))) {
            assertThatThrownBy(() -> decoder.decode(Orders.record(1, "one")))
                    .isInstanceOf(RecordException.class)
                    .hasMessageContaining("schema id 7");
        }
    }

    @Test
    void recordsWithoutFrameAreReadWithTheSchemaOfThePlan() throws Exception {
        byte[] plan =
                Orders.plan()
                        .setFraming(Framing.BARE)
                        .setMessage(MessageSelection.newBuilder().setSchema(Orders.schema()))
                        .build()
                        .toByteArray();
        Asked asked = new Asked();
        try (RecordDecoder decoder = new NativeRecordDecoder(plan, asked)) {
            assertThat(Orders.text(decoder.decode(Orders.message(4, "bare")))).isEqualTo("4 bare");
            assertThatThrownBy(() -> decoder.decode(new byte[] {0x12, 9}))
                    .hasMessageNotContaining("schema id");
        }
        assertThat(asked.questions).isEmpty();
    }

    @Test
    void aColumnThatTheWriterLacksIsNull() throws Exception {
        byte[] older = Orders.schema().setMessages(0, withoutName()).build().toByteArray();
        try (RecordDecoder decoder =
                new NativeRecordDecoder(PLAN, (key, indexes) -> message(older))) {
            assertThat(Orders.text(decoder.decode(Orders.record(5, "unknown to the writer"))))
                    .isEqualTo("5 null");
        }
    }

    private static ResolvedMessage.Builder withoutName() {
        return ResolvedMessage.newBuilder()
                .setFullName("shop.v1.Order")
                .addFields(Orders.field("id", 1, FieldKind.FIELD_INT32));
    }
}
