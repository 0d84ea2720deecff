package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.AskedSchemas;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.Records;
import dev.sluice.flink.kafka.TestConsumer.Sent;

import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Two tables with keys and values, each with a consumer on a thread of its own, as Flink runs them:
 * whatever the polls, splits, faults, restarts and stops, rows and refusals are those of decoding
 * each record singly.
 */
class RandomPollsTest {
    private static final int POLLS = 60;
    private static final long SEED = Long.getLong("sluice.seed", 0);

    private static final String[] VALUES = {
        "00 00000007 00 08%02x 120178", // Order
        "00 00000008 00 08%02x", // another schema id
        "00 00000007 02 02 08%02x", // Refund
        "01 0102030405060708090a0b0c0d0e0f10 00 08%02x", // a GUID
        "08%02x", // without frame
        "00 00000007 00 08%02x 1205 78", // cut
        "00 00000194 00 08%02x", // no such schema
        "02%02x", // no message
        ""
    };
    private static final String[] HEADERS = {
        null, null, null, "00 00000007 00", "01 0102030405060708090a0b0c0d0e0f10 02 02", "00 00", ""
    };

    /** What one poll hands out; records behind {@code stop} are never asked for. */
    private static final class Handed {
        final List<Sent> records;
        final int stop;
        final Object answer;

        Handed(List<Sent> records, int stop, Object answer) {
            this.records = records;
            this.stop = stop;
            this.answer = answer;
        }
    }

    private static byte[] half(Random random) {
        String form = VALUES[random.nextInt(3) > 0 ? 0 : random.nextInt(VALUES.length)];
        // Kafka makes an array for each record, also for an empty one.
        return Records.hex(String.format(form, random.nextInt(100))).clone();
    }

    private static Sent record(Random random) {
        Sent record =
                Sent.of(
                        random.nextInt(5) == 0 ? null : half(random),
                        random.nextInt(5) == 0 ? null : half(random));
        for (Role role : Role.values()) {
            String header = HEADERS[random.nextInt(HEADERS.length)];
            if (header != null) {
                record.with(role.header, Records.hex(header));
            }
        }
        return record;
    }

    private static void fetch(Random random, BlockingQueue<Handed> queue)
            throws InterruptedException {
        TestConsumer consumer = new TestConsumer();
        for (int poll = 0; poll < POLLS; poll++) {
            Map<Integer, List<Sent>> bySplit = new LinkedHashMap<>();
            List<Sent> all = new ArrayList<>();
            for (int split = random.nextInt(3); split >= 0; split--) {
                List<Sent> records = new ArrayList<>();
                for (int left = random.nextInt(20); left > 0; left--) {
                    records.add(record(random));
                }
                bySplit.put(split, records);
                all.addAll(records);
            }
            Object answer = consumer.poll(bySplit);
            int stop = random.nextInt(4) == 0 ? random.nextInt(all.size() + 1) : all.size();
            queue.put(new Handed(all, stop, answer));
            if (random.nextInt(15) == 0) {
                consumer.close();
                consumer = new TestConsumer();
            }
        }
        consumer.close();
    }

    private static TestFormat format(String columns, boolean isAhead, long bytesMax)
            throws Exception {
        return TestFormat.open(
                Engine.NATIVE,
                columns,
                isAhead ? bytesMax : 0,
                AskedSchemas.orders(columns.startsWith("name") ? null : "shop.Order"));
    }

    /** A table: its consumer's thread, and this one as its task. */
    private static long run(Random random, ExecutorService fetchers) throws Exception {
        BlockingQueue<Handed> queue = new ArrayBlockingQueue<>(2);
        Random ofFetcher = new Random(random.nextLong());
        Future<?> fetcher =
                fetchers.submit(
                        () -> {
                            fetch(ofFetcher, queue);
                            return null;
                        });
        String keyColumns = random.nextBoolean() ? "id BIGINT" : "name STRING, id BIGINT";
        String valueColumns = random.nextBoolean() ? TestFormat.COLUMNS : "name STRING";
        long bytesMax = random.nextInt(4) == 0 ? 200 : 1 << 20;
        try (TestFormat keys = format(keyColumns, true, bytesMax);
                TestFormat values = format(valueColumns, true, bytesMax);
                TestConsumer singly = new TestConsumer();
                TestFormat keysSingly = format(keyColumns, false, 0);
                TestFormat valuesSingly = format(valueColumns, false, 0)) {
            for (int poll = 0; poll < POLLS; poll++) {
                Handed handed = queue.take();
                assertThat(values.decoder.waitingBytes()).isLessThanOrEqualTo(bytesMax);
                for (Sent record : handed.records.subList(0, handed.stop)) {
                    Sent same = record.copy();
                    singly.poll(same);
                    if (record.key != null) {
                        assertThat(said(keys, record.key)).isEqualTo(said(keysSingly, same.key));
                    }
                    if (record.value != null) {
                        assertThat(said(values, record.value))
                                .isEqualTo(said(valuesSingly, same.value));
                    }
                }
                assertThat(handed.answer).isNotNull();
            }
            fetcher.get();
            assertThat(values.decoder.records()).isEqualTo(valuesSingly.decoder.records());
            assertThat(values.decoder.recordsByMessage())
                    .isEqualTo(valuesSingly.decoder.recordsByMessage());
            assertThat(keys.decoder.records()).isEqualTo(keysSingly.decoder.records());
            return keys.polled() + values.polled();
        }
    }

    /** The test's registry has a new id for each time that it is asked for the latest schema. */
    private static String said(TestFormat format, byte[] record) throws Exception {
        return format.read(record).replaceAll("schema id 4\\d", "the latest");
    }

    @RepeatedTest(20)
    void rowsAreThoseOfSingleDecoding(RepetitionInfo repetition) throws Exception {
        Random random = new Random(SEED + repetition.getCurrentRepetition());
        Random ofSecond = new Random(random.nextLong());
        ExecutorService threads = Executors.newCachedThreadPool();
        try {
            Future<Long> second = threads.submit(() -> run(ofSecond, threads));
            long polled = run(random, threads);
            assertThat(polled + second.get()).isPositive();
        } finally {
            threads.shutdownNow();
        }
    }
}
