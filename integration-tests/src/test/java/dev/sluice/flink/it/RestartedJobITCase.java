package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongConsumer;

/**
 * A task that fails once, between a skipped record and the next checkpoint, and is restored from a
 * checkpoint behind an earlier skipped one. A letter that waited for anything would be lost: the
 * earlier record is not read again.
 */
class RestartedJobITCase {
    private static final int COUNT = 1500;
    private static final int EARLY_POISON_AFTER = 5;
    private static final int LATE_POISON_AFTER = COUNT - 20;
    private static final int POISON = 4; // in each of two places

    /** Holds the job up until it has a checkpoint behind the early poison, then fails it once. */
    private static final class Failure implements LongConsumer {
        final Map<Long, Integer> seen = new ConcurrentHashMap<>();
        private long checkpointsBefore;
        private volatile boolean failed;

        @Override
        public void accept(long id) {
            seen.merge(id, 1, Integer::sum);
            if (failed) {
                return;
            }
            long checkpoints = CountReporter.total("numberOfCompletedCheckpoints");
            if (id == EARLY_POISON_AFTER + 1) {
                checkpointsBefore = checkpoints;
            }
            // One may have begun before the poison; the second began behind it.
            if (id > EARLY_POISON_AFTER && checkpoints - checkpointsBefore < 2) {
                pause();
            }
            if (id == LATE_POISON_AFTER + 1) {
                failed = true;
                throw new IllegalStateException("the failure that the test wants");
            }
        }

        private static void pause() {
            try {
                Thread.sleep(10);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Four bytes are no frame. */
    private static byte[] poison(int number) {
        return new byte[] {0, 0, 0, (byte) number};
    }

    @Test
    void aFailureAfterASkippedRecordLosesNoLetterAndNoRow() throws Exception {
        ProtoFile file =
                ProtoFile.of(
                        "order.proto",
                        "syntax = 'proto3'; package shop.v1; message Order { int64 id = 1; }");
        Topic topic = Topic.create("restarted");
        Topic dead = Topic.create("deadrestarted");
        file.register(topic.name() + "-value");
        List<byte[]> records = new ArrayList<>();
        List<String> rows = new ArrayList<>();
        List<String> early = new ArrayList<>();
        List<String> late = new ArrayList<>();
        for (int id = 1; id <= COUNT; id++) {
            records.add(file.record("Order", "id: " + id));
            rows.add("+I[" + id + "]");
            if (id == EARLY_POISON_AFTER || id == LATE_POISON_AFTER) {
                for (int i = 1; i <= POISON; i++) {
                    int number = id == EARLY_POISON_AFTER ? i : POISON + i;
                    records.add(poison(number));
                    (id == EARLY_POISON_AFTER ? early : late)
                            .add("+I[[0, 0, 0, " + number + "], bad-frame, value]");
                }
            }
        }
        topic.send(records.toArray(byte[][]::new));
        Sql sql =
                ConfluentTable.over(topic, "id BIGINT", Registry.shared().url())
                        .skippingTo(dead)
                        .create()
                        .set("execution.checkpointing.interval", "100ms")
                        .set("restart-strategy.type", "fixed-delay")
                        .set("restart-strategy", "fixed-delay")
                        .set("restart-strategy.fixed-delay.attempts", "1")
                        .set("restart-strategy.fixed-delay.delay", "1ms");
        Failure failure = new Failure();

        assertThat(sql.rows("SELECT " + OnRow.call(sql, failure) + " FROM t"))
                .containsExactlyElementsOf(rows);

        // That it went as this test wants it:
        assertThat(failure.seen).containsEntry((long) EARLY_POISON_AFTER, 1);
        assertThat(failure.seen).containsEntry(LATE_POISON_AFTER + 1L, 2);
        // The early poison was not read again; a late one was, unless a checkpoint came in between.
        List<String> letters = DeadLetterRows.of(dead);
        List<String> lateLetters = new ArrayList<>(letters);
        lateLetters.removeAll(early);
        assertThat(letters).containsOnlyOnceElementsOf(early).containsAll(late);
        assertThat(lateLetters).hasSizeBetween(POISON, 2 * POISON).isSubsetOf(late);
    }
}
