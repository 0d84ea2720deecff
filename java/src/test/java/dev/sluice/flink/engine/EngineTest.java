package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Map;

class EngineTest {
    private static final WriterSchemas ORDERS = (key, indexes) -> message();

    private static WriterMessage message() {
        try {
            return WriterMessage.of(
                    WriterSchema.of(Orders.TEXT, Map.of()), new int[] {0}, SchemaOrigin.NONE);
        } catch (SchemaException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"AUTO", "NATIVE"})
    void decodesInNativeCode(Engine engine) throws Exception {
        byte[] plan = Orders.plan().build().toByteArray();
        try (RecordDecoder decoder = engine.open(plan, ORDERS)) {
            assertThat(decoder.isNative()).isTrue();
            assertThat(Orders.text(decoder.decode(Orders.record(7, "rope")))).isEqualTo("7 rope");
            assertThat(decoder.records()).isEqualTo(1);
        }
    }

    @Test
    void decodesInJavaWhereAskedFor() throws Exception {
        byte[] plan = Orders.plan().build().toByteArray();
        try (RecordDecoder decoder = Engine.JAVA.open(plan, ORDERS)) {
            assertThat(decoder.isNative()).isFalse();
            assertThat(Orders.text(decoder.decode(Orders.record(7, "rope")))).isEqualTo("7 rope");
            assertThat(decoder.records()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void refusesAPlanOfAnotherVersion(Engine engine) {
        byte[] plan = Orders.plan().setVersion(77).build().toByteArray();
        assertThatThrownBy(() -> engine.open(plan, ORDERS))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.UNSUPPORTED_PLAN));
    }

    @Test
    void readsAsTheValueOfTheOption() {
        assertThat(Engine.values()).extracting(Engine::toString).contains("auto", "native", "java");
    }
}
