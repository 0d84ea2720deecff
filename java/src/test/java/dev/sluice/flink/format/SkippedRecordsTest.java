package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.concurrent.TimeUnit;

class SkippedRecordsTest {

    @Test
    void tellsTheFirstAndThenOneInASilence() {
        SkippedRecords skipped = new SkippedRecords(DecodeMetrics.of(null));
        long silence = TimeUnit.SECONDS.toNanos(SkippedRecords.SILENCE_SECONDS);
        // nanoTime may begin anywhere, also close to its overflow
        long start = Long.MAX_VALUE - 5;

        assertThat(skipped.isTimeToTell(start)).isTrue();
        assertThat(skipped.isTimeToTell(start + silence - 1)).isFalse();
        assertThat(skipped.isTimeToTell(start + silence)).isTrue();
        assertThat(skipped.isTimeToTell(start + silence + 1)).isFalse();
    }
}
