package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.plan.Failure;
import dev.sluice.flink.plan.FieldKind;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** One test for each promise of the border, in a real JVM with the real library. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class NativeDecoderTest {
    @Test
    void decodesARowIntoAnArrayOfItsOwn() {
        try (NativeDecoder decoder = Orders.decoder()) {
            byte[] first = decoder.decodeRow(Orders.record(7, "rope"));
            byte[] second = decoder.decodeRow(Orders.record(8, "a longer piece of rope"));
            assertThat(Orders.text(first)).isEqualTo("7 rope");
            assertThat(Orders.text(second)).isEqualTo("8 a longer piece of rope");
            assertThat(decoder.records()).isEqualTo(2);
        }
    }

    @Test
    void anEmptyMessageIsARow() {
        try (NativeDecoder decoder = Orders.decoder()) {
            assertThat(Orders.text(decoder.decodeRow(Orders.FRAME))).isEqualTo("0 ");
        }
    }

    @Test
    void refusesAnEmptyRecord() {
        try (NativeDecoder decoder = Orders.decoder()) {
            assertThat(decoder.decodeRow(new byte[0])).isNull();
            assertThat(decoder.code()).isEqualTo(FailureCode.BAD_FRAME);
            assertThat(decoder.failure().getReason()).isNotEmpty();
        }
    }

    @Test
    void aNullRecordStopsBeforeTheBorder() {
        try (NativeDecoder decoder = Orders.decoder()) {
            assertThatThrownBy(() -> decoder.decodeRow(null))
                    .isInstanceOf(NullPointerException.class);
            assertThat(Orders.text(decoder.decodeRow(Orders.record(1, "x")))).isEqualTo("1 x");
        }
    }

    @Test
    void aFrameThatWasNotAddedIsAnUnknownSchema() {
        try (NativeDecoder decoder = Orders.decoder()) {
            byte[] otherId = {0, 0, 0, 0, 8, 0};
            byte[] otherMessage = {0, 0, 0, 0, 7, 2, 2};
            for (byte[] frame : List.of(otherId, otherMessage)) {
                assertThat(decoder.decodeRow(frame)).isNull();
                assertThat(decoder.code()).isEqualTo(FailureCode.UNKNOWN_SCHEMA);
            }
            assertThat(decoder.records()).isZero();
        }
    }

    @Test
    void aFailureHasCodePlaceAndReason() {
        try (NativeDecoder decoder = Orders.decoder()) {
            byte[] cut = {0, 0, 0, 0, 7, 0, 0x12, 5, 'r'};
            assertThat(decoder.decodeRow(cut)).isNull();
            Failure failure = decoder.failure();
            assertThat(failure.getCode()).isEqualTo(FailureCode.TRUNCATED.number());
            assertThat(failure.getMessageName()).isEqualTo("shop.v1.Order");
            assertThat(failure.hasByteOffset()).isTrue();
            assertThat(failure.getReason()).isNotEmpty();
        }
    }

    @Test
    void aPanicIsACodeAndPoisonsTheDecoderOnly() {
        try (NativeDecoder decoder = Orders.decoder();
                NativeDecoder other = Orders.decoder()) {
            decoder.panicForTest();
            assertThat(decoder.code()).isEqualTo(FailureCode.PANIC);
            assertThat(decoder.failure().getReason())
                    .matches("native code panicked at .*entry\\.rs:\\d+: a test asked for this");
            assertThat(decoder.decodeRow(Orders.record(1, "x"))).isNull();
            assertThat(decoder.code()).isEqualTo(FailureCode.POISONED);
            assertThat(decoder.failure().getReason()).contains("a test asked for this");
            assertThat(Orders.text(other.decodeRow(Orders.record(1, "x")))).isEqualTo("1 x");
        }
    }

    @Test
    void refusesUseAfterClose() {
        NativeDecoder decoder = Orders.decoder();
        decoder.decodeRow(Orders.record(1, "x"));
        decoder.close();
        assertThatThrownBy(() -> decoder.decodeRow(new byte[1]))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the decoder is closed");
        assertThatThrownBy(() -> decoder.addSchema(new byte[1], new byte[1]))
                .hasMessage("the decoder is closed");
        assertThatThrownBy(decoder::failure).hasMessage("the decoder is closed");
        assertThat(decoder.records()).as("the last count").isEqualTo(1);
    }

    @Test
    void closingTwiceReleasesOnce() {
        NativeDecoder decoder = Orders.decoder();
        long before = NativeLibrary.liveDecoders();
        decoder.close();
        decoder.close();
        assertThat(NativeLibrary.liveDecoders()).isEqualTo(before - 1);
    }

    @Test
    void refusesAGarbagePlan() {
        byte[] garbage = "this is not a plan".getBytes(StandardCharsets.UTF_8);
        assertThat(refusal(garbage).getCode()).isEqualTo(FailureCode.MALFORMED_PLAN.number());
        assertThat(refusal(null).getReason()).contains("null");
    }

    @Test
    void refusesANewerPlanByName() {
        Failure version = refusal(Orders.plan().setVersion(77).build().toByteArray());
        assertThat(version.getCode()).isEqualTo(FailureCode.UNSUPPORTED_PLAN.number());
        assertThat(version.getReason()).contains("77");
        Plan plan = Orders.plan().addRequiredFeatures("time-travel").build();
        Failure feature = refusal(plan.toByteArray());
        assertThat(feature.getCode()).isEqualTo(FailureCode.UNSUPPORTED_PLAN.number());
        assertThat(feature.getReason()).contains("time-travel");
    }

    private static Failure refusal(byte[] plan) {
        try (NativeDecoder decoder = new NativeDecoder(plan)) {
            throw new AssertionError("accepted");
        } catch (PlanRefusedException e) {
            return e.failure();
        }
    }

    @Test
    void refusesAGarbageSchemaAndGoesOn() throws Exception {
        try (NativeDecoder decoder = new NativeDecoder(Orders.plan().build().toByteArray())) {
            assertThat(decoder.addSchema(Orders.FRAME, new byte[] {-1, -1})).isFalse();
            assertThat(decoder.code()).isEqualTo(FailureCode.BAD_SCHEMA);
            assertThat(decoder.failure().getReason()).contains("resolved schema");
            byte[] notAFrame = {5};
            assertThat(decoder.addSchema(notAFrame, new byte[0])).isFalse();
            assertThat(decoder.code()).isEqualTo(FailureCode.BAD_FRAME);
            assertThat(decoder.addSchema(null, null)).isFalse();
            byte[] schema = Orders.schema().build().toByteArray();
            assertThat(decoder.addSchema(Orders.FRAME, schema)).isTrue();
            assertThat(Orders.text(decoder.decodeRow(Orders.record(3, "y")))).isEqualTo("3 y");
        }
    }

    @Test
    void refusesASchemaWhoseFieldDoesNotFitTheColumn() throws Exception {
        try (NativeDecoder decoder = new NativeDecoder(Orders.plan().build().toByteArray())) {
            ResolvedSchema schema =
                    Orders.schema()
                            .setMessages(
                                    0,
                                    ResolvedMessage.newBuilder()
                                            .setFullName("shop.v1.Order")
                                            .addFields(
                                                    Orders.field("id", 1, FieldKind.FIELD_STRING)))
                            .build();
            assertThat(decoder.addSchema(Orders.FRAME, schema.toByteArray())).isFalse();
            assertThat(decoder.failure().getReason()).contains("id");
        }
    }

    @Test
    void aRecordLongerThanTheLimitIsRefused() {
        Plan plan = Orders.plan().setLimits(Orders.limits(1000, 1 << 30)).build();
        try (NativeDecoder decoder = Orders.decoder(plan)) {
            assertThat(decoder.decodeRow(Orders.record(1, "x".repeat(2000)))).isNull();
            assertThat(decoder.code()).isEqualTo(FailureCode.RECORD_TOO_LARGE);
            assertThat(decoder.failure().getReason()).contains("1000");
            assertThat(Orders.text(decoder.decodeRow(Orders.record(1, "x")))).isEqualTo("1 x");
        }
    }

    @Test
    void aRowLongerThanTheLimitIsRefused() {
        Plan plan = Orders.plan().setLimits(Orders.limits(1 << 30, 100_000)).build();
        try (NativeDecoder decoder = Orders.decoder(plan)) {
            assertThat(decoder.decodeRow(Orders.record(1, "x".repeat(200_000)))).isNull();
            assertThat(decoder.code()).isEqualTo(FailureCode.ROW_TOO_LARGE);
            assertThat(Orders.text(decoder.decodeRow(Orders.record(1, "x")))).isEqualTo("1 x");
        }
    }

    @Test
    void theRowBufferGrowsWithTheRows() {
        try (NativeDecoder decoder = Orders.decoder()) {
            for (int length = 1; length <= 8 << 20; length *= 2) {
                String name = "x".repeat(length);
                byte[] row = decoder.decodeRow(Orders.record(length, name));
                assertThat(Orders.text(row)).isEqualTo(length + " " + name);
            }
            assertThat(decoder.records()).as("a second try counts once").isEqualTo(24);
        }
    }

    @Test
    void aRefusedRecordThatGrewTheBufferLeavesNoStaleMemory() {
        try (NativeDecoder decoder = Orders.decoder()) {
            byte[] whole = Orders.record(1, "x".repeat(1 << 20));
            byte[] withBadTail = Orders.framed(whole, new byte[] {0x12, 5, 'r'});
            assertThat(decoder.decodeRow(withBadTail)).isNull();
            assertThat(decoder.code()).isEqualTo(FailureCode.TRUNCATED);
            assertThat(Orders.text(decoder.decodeRow(Orders.record(5, "z")))).isEqualTo("5 z");
        }
    }

    @Test
    void droppedDecodersAreReleasedByTheCleaner() throws Exception {
        long before = NativeLibrary.liveDecoders();
        for (int round = 0; round < 500; round++) {
            Orders.decoder().decodeRow(Orders.record(round, "dropped"));
        }
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (NativeLibrary.liveDecoders() > before && System.nanoTime() < deadline) {
            System.gc();
            Thread.sleep(20);
        }
        assertThat(NativeLibrary.liveDecoders()).isLessThanOrEqualTo(before);
    }

    @Test
    void decodersOfOnePlanShareOneProgramOverManyThreads() throws Exception {
        Plan plan = Orders.plan().setLimits(Orders.limits(1 << 29, 1 << 28)).build();
        long before = NativeLibrary.livePrograms();
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            CountDownLatch allOpen = new CountDownLatch(8);
            List<Future<Long>> programs = new ArrayList<>();
            for (int number = 0; number < 8; number++) {
                int first = number * 10_000;
                programs.add(threads.submit(() -> decodeMany(plan, first, allOpen)));
            }
            for (Future<Long> live : programs) {
                assertThat(live.get()).isEqualTo(before + 1);
            }
        } finally {
            threads.shutdown();
        }
        assertThat(NativeLibrary.livePrograms()).as("freed with its last user").isEqualTo(before);
    }

    private static long decodeMany(Plan plan, int first, CountDownLatch allOpen) throws Exception {
        try (NativeDecoder decoder = Orders.decoder(plan)) {
            allOpen.countDown();
            allOpen.await();
            long programs = NativeLibrary.livePrograms();
            for (int id = first; id < first + 10_000; id++) {
                byte[] row = decoder.decodeRow(Orders.record(id, "name " + id));
                assertThat(Orders.text(row)).isEqualTo(id + " name " + id);
            }
            assertThat(decoder.records()).isEqualTo(10_000);
            return programs;
        }
    }

    /** A metric reporter may ask at any time, and keeps no record waiting. */
    @Test
    void countsAreReadOutsideOfTheGate() {
        try (NativeDecoder decoder = Orders.decoder()) {
            decoder.decodeRow(Orders.record(1, "x"));
            decoder.handle().enter(); // a call that goes on
            assertThat(decoder.rowsByMessage()).isEqualTo(Map.of("shop.v1.Order", 1L));
            decoder.handle().leave();
            decoder.decodeRow(Orders.record(2, "y"));
            assertThat(decoder.rowsByMessage()).isEqualTo(Map.of("shop.v1.Order", 2L));
            decoder.close();
            assertThat(decoder.rowsByMessage()).isEqualTo(Map.of("shop.v1.Order", 2L));
        }
    }

    @Test
    void closingFromAnotherThreadWaitsForTheRunningCall() throws Exception {
        ExecutorService closer = Executors.newSingleThreadExecutor();
        try {
            for (int round = 0; round < 200; round++) {
                NativeDecoder decoder = Orders.decoder();
                AtomicBoolean started = new AtomicBoolean();
                Future<?> closed =
                        closer.submit(
                                () -> {
                                    while (!started.get()) {
                                        Thread.onSpinWait();
                                    }
                                    decoder.close();
                                });
                assertThatThrownBy(
                                () -> {
                                    while (true) {
                                        byte[] row = decoder.decodeRow(Orders.record(1, "x"));
                                        started.set(true);
                                        assertThat(Orders.text(row)).isEqualTo("1 x");
                                    }
                                })
                        .hasMessage("the decoder is closed");
                assertThatCode(closed::get).doesNotThrowAnyException();
            }
        } finally {
            closer.shutdown();
        }
    }
}
