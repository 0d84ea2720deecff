package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.stream.Collectors;

class FailureCodeTest {
    @Test
    void bothSidesHaveTheSameCodes() {
        NativeLibrary.require();
        String ours =
                Arrays.stream(FailureCode.values())
                        .map(code -> code.number() + " " + code.label() + "\n")
                        .collect(Collectors.joining());
        assertThat(ours).isEqualTo(NativeLibrary.failureCodes());
    }

    @Test
    void everyNumberFindsItsCode() {
        for (FailureCode code : FailureCode.values()) {
            assertThat(FailureCode.of(code.number())).isSameAs(code);
        }
        assertThatThrownBy(() -> FailureCode.of(0)).hasMessageContaining("number 0");
    }

    @Test
    void neitherTheRegistryNorTheEngineIsTheRecordsFault() {
        assertThat(FailureCode.values())
                .filteredOn(code -> !code.isRecordsFault())
                .containsExactlyInAnyOrder(
                        FailureCode.UNSUPPORTED_PLAN,
                        FailureCode.MALFORMED_PLAN,
                        FailureCode.UNKNOWN_SCHEMA,
                        FailureCode.REGISTRY_UNREACHABLE,
                        FailureCode.REGISTRY_REFUSED,
                        FailureCode.SCHEMA_HAS_RULES,
                        FailureCode.OTHER_MESSAGE,
                        FailureCode.PANIC,
                        FailureCode.CLOSED,
                        FailureCode.POISONED,
                        FailureCode.ROW_BUFFER_MOVED,
                        FailureCode.MALFORMED_ROW);
    }
}
