package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.LiveDecoders;
import dev.sluice.flink.engine.Records;
import dev.sluice.flink.kafka.TestConsumer.Sent;

import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/** What is kept of polls, consumers and formats that are over: nothing. */
class LeftPollsTest {
    private static byte[] order() {
        return Records.hex("00 00000007 00 0801 120178");
    }

    private static boolean comesTrue(BooleanSupplier condition) throws InterruptedException {
        for (int round = 0; round < 300 && !condition.getAsBoolean(); round++) {
            System.gc();
            Thread.sleep(10);
        }
        return condition.getAsBoolean();
    }

    private static boolean isGarbage(WeakReference<?> left) throws InterruptedException {
        return comesTrue(() -> left.get() == null);
    }

    @Test
    void pollsThatNobodyAsksForGoWithTheConsumersAnswer() throws Exception {
        ConsumerPolls polls = new ConsumerPolls();
        List<WeakReference<byte[]>> records = new ArrayList<>();
        for (int at = 0; at < 100; at++) {
            byte[] record = order();
            Poll poll = new Poll(1);
            poll.add(null, null, record, null);
            polls.publish(poll, new Object());
            records.add(new WeakReference<>(record));
        }
        assertThat(isGarbage(records.get(50))).as("while the poll after it is kept").isFalse();
        assertThat(
                        comesTrue(
                                () -> {
                                    polls.publish(new Poll(1), polls);
                                    return polls.waiting() < 100;
                                }))
                .isTrue();
        assertThat(isGarbage(records.get(50))).isTrue();
        polls.close();
    }

    @Test
    void aRecordThatWasAskedForIsNotKept() throws Exception {
        try (TestConsumer consumer = new TestConsumer();
                TestFormat format = TestFormat.open()) {
            List<WeakReference<byte[]>> left = new ArrayList<>();
            for (int poll = 0; poll < 3; poll++) {
                readOne(consumer, format, left);
            }
            for (WeakReference<byte[]> one : left) {
                assertThat(isGarbage(one)).isTrue();
            }
        }
    }

    private static void readOne(
            TestConsumer consumer, TestFormat format, List<WeakReference<byte[]>> left)
            throws Exception {
        Sent record = Sent.of(order(), order());
        consumer.poll(record);
        format.read(record.value);
        left.add(new WeakReference<>(record.value));
        left.add(new WeakReference<>(record.key));
    }

    @Test
    void aConsumerThatWasClosedBeforeItsRecordsWereAskedForIsFoundAllTheSame() throws Exception {
        Sent first = Sent.of(Records.hex("0805")).with("__value_schema_id", header());
        Object answer;
        try (TestConsumer consumer = new TestConsumer()) {
            answer = consumer.poll(first);
        }
        System.gc();
        try (TestFormat format = TestFormat.open()) {
            assertThat(format.decoder.find(first.value)).as("its header").isTrue();
        }
        assertThat(answer).isNotNull();
    }

    private static byte[] header() {
        return Records.hex("00 00000007 00");
    }

    @Test
    void aConsumerThatWasClosedAndIsNeverAskedIsForgotten() throws Exception {
        WeakReference<byte[]> record = closedUnread();
        assertThat(isGarbage(record)).isTrue();
    }

    private static WeakReference<byte[]> closedUnread() {
        Sent record = Sent.of(order());
        try (TestConsumer consumer = new TestConsumer()) {
            consumer.poll(record);
        }
        return new WeakReference<>(record.value);
    }

    @Test
    void aConsumerThatIsDroppedUnclosedIsForgotten() throws Exception {
        WeakReference<byte[]> record = droppedUnclosed();
        assertThat(isGarbage(record)).isTrue();
    }

    private static WeakReference<byte[]> droppedUnclosed() {
        Sent record = Sent.of(order());
        new TestConsumer().poll(record);
        return new WeakReference<>(record.value);
    }

    @Test
    void theConsumersDecoderIsClosedWithTheConsumer() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            long before = LiveDecoders.count();
            try (TestConsumer consumer = new TestConsumer()) {
                readOne(consumer, format, new ArrayList<>());
                assertThat(LiveDecoders.count()).isEqualTo(before + 1);
            }
            assertThat(LiveDecoders.count()).isEqualTo(before);
        }
    }

    @Test
    void theConsumersDecoderIsClosedWithTheFormatAndPollsGoOn() throws Exception {
        long before = LiveDecoders.count();
        try (TestConsumer consumer = new TestConsumer()) {
            try (TestFormat format = TestFormat.open()) {
                readOne(consumer, format, new ArrayList<>());
            }
            assertThat(LiveDecoders.count()).isEqualTo(before);
            assertThat(consumer.poll(Sent.of(order())).count()).isEqualTo(1);
        }
    }

    /** As of a job whose jar has the format: its classes go with the job. */
    @Test
    void theClassLoaderIsNotKept() throws Exception {
        assertThat(isGarbage(usedClassLoader())).isTrue();
    }

    private static WeakReference<ClassLoader> usedClassLoader() throws Exception {
        URL[] classes = {ConsumerPolls.class.getProtectionDomain().getCodeSource().getLocation()};
        try (URLClassLoader loader =
                new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Class<?> pollClass = loader.loadClass(Poll.class.getName());
            Object poll = pollClass.getConstructor(int.class).newInstance(1);
            pollClass
                    .getMethod("add", Object.class, byte[].class, Object.class, byte[].class)
                    .invoke(poll, null, null, new byte[1], null);
            Class<?> pollsClass = loader.loadClass(ConsumerPolls.class.getName());
            Object polls = pollsClass.getConstructor().newInstance();
            pollsClass
                    .getMethod("publish", pollClass, Object.class)
                    .invoke(polls, poll, new Object());
            pollsClass.getMethod("close").invoke(polls);
            return new WeakReference<>(loader);
        }
    }
}
