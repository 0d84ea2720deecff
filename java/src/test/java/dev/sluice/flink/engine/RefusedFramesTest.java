package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;

import org.junit.jupiter.api.Test;

import java.time.Duration;

class RefusedFramesTest {
    private long nanos = -5;
    private final RefusedFrames refused = new RefusedFrames(() -> nanos);

    private static Frame frame(int id) throws RecordException {
        return Frame.read(new byte[] {0, 0, 0, (byte) (id >> 8), (byte) id, 0});
    }

    private static RecordException because(FailureCode code) {
        return new RecordException(code, "reason");
    }

    @Test
    void whatTheSchemaIsAtFaultForStays() throws Exception {
        RecordException first = because(FailureCode.TYPE_MISMATCH);
        refused.add(frame(1), first);
        nanos += Duration.ofDays(1).toNanos();
        assertThatThrownBy(() -> refused.check(frame(1)))
                .isNotSameAs(first)
                .hasMessage(first.getMessage());
        assertThatCode(() -> refused.check(frame(2))).doesNotThrowAnyException();
    }

    @Test
    void whatTheRegistrySaidIsForgotten() throws Exception {
        refused.add(frame(1), because(FailureCode.SCHEMA_NOT_FOUND));
        nanos += Duration.ofSeconds(5).toNanos();
        assertThatThrownBy(() -> refused.check(frame(1))).hasMessageContaining("reason");
        nanos++;
        assertThatCode(() -> refused.check(frame(1))).doesNotThrowAnyException();
    }

    @Test
    void whatIsNotTheRecordsFaultIsNotRemembered() throws Exception {
        refused.add(frame(1), because(FailureCode.REGISTRY_UNREACHABLE));
        refused.add(frame(1), because(FailureCode.SCHEMA_HAS_RULES));
        assertThatCode(() -> refused.check(frame(1))).doesNotThrowAnyException();
    }

    @Test
    void theFrameUsedLeastIsForgottenFirst() throws Exception {
        for (int id = 0; id < 1000; id++) {
            refused.add(frame(id), because(FailureCode.TYPE_MISMATCH));
        }
        assertThatThrownBy(() -> refused.check(frame(0))).isNotNull();
        refused.add(frame(1000), because(FailureCode.TYPE_MISMATCH));
        assertThatThrownBy(() -> refused.check(frame(0))).isNotNull();
        assertThatCode(() -> refused.check(frame(1))).doesNotThrowAnyException();
    }
}
