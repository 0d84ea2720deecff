package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.stream.IntStream;

class RetryPolicyTest {
    @Test
    void doublesTheBoundOfThePauseUpToTheMaximum() {
        RetryPolicy policy = new RetryPolicy(3, 1000, 20_000);
        assertThat(IntStream.range(0, 7).mapToLong(policy::pauseMillisBound))
                .containsExactly(1000L, 2000L, 4000L, 8000L, 16_000L, 20_000L, 20_000L);
        assertThat(policy.pauseMillisBound(5000)).isEqualTo(20_000);
        assertThat(new RetryPolicy(3, 0, 20_000).pauseMillisBound(9)).isZero();
    }

    @Test
    void retriesTheStatusesThatMayPass() {
        assertThat(IntStream.range(200, 600).filter(RetryPolicy::isRetriable))
                .containsExactly(408, 429, 500, 502, 503, 504);
    }
}
