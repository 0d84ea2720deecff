package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.AskedSchemas;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.Records;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.kafka.TestConsumer.Sent;
import dev.sluice.flink.schema.SchemaKey;

import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which format gets the rows of which consumer, and what happens to records without row. */
class PolledDecoderTest {
    private final TestConsumer consumer = new TestConsumer();

    /** Of schema id 7, message {@code Order}. */
    private static byte[] order(int id) {
        return Records.hex(String.format("00 00000007 00 08%02x 1201%02x", id, 'a' + id % 26));
    }

    private static byte[] order(int schema, int id) {
        return Records.hex(String.format("00 %08x 00 08%02x", schema, id));
    }

    private static Sent[] orders(int from, int to) {
        List<Sent> orders = new ArrayList<>();
        for (int id = from; id < to; id++) {
            orders.add(Sent.of(order(id)));
        }
        return orders.toArray(new Sent[0]);
    }

    private static String row(int id) {
        return "[" + id + ", " + (char) ('a' + id % 26) + "]";
    }

    private static void readAll(TestFormat format, int from, Sent... records) throws Exception {
        for (int at = 0; at < records.length; at++) {
            assertThat(format.read(records[at].value)).isEqualTo(row(from + at));
        }
    }

    /** Reads one record, so that the polls to come are decoded for the format. */
    private void bind(TestFormat format) throws Exception {
        Sent[] first = orders(0, 1);
        consumer.poll(first);
        readAll(format, 0, first);
        assertThat(format.polled()).isZero();
    }

    @Test
    void theFirstRecordBindsAndLaterPollsAreMadeAhead() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            for (int poll = 1; poll < 4; poll++) {
                Sent[] records = orders(10 * poll, 10 * poll + 10);
                consumer.poll(records);
                assertThat(format.decoder.waitingBytes()).isEqualTo(10 * 24);
                readAll(format, 10 * poll, records);
                assertThat(format.decoder.waitingBytes()).isZero();
            }
            assertThat(format.polled()).isEqualTo(30);
            assertThat(format.decoder.records()).isEqualTo(31);
            assertThat(format.decoder.recordsByMessage()).isEqualTo(Map.of("shop.Order", 31L));
        }
    }

    @Test
    void pollsMayBeAheadOfTheTask() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Sent[] second = orders(1, 4);
            Sent[] third = orders(4, 9);
            consumer.poll(second);
            consumer.poll(third);
            readAll(format, 1, second);
            readAll(format, 4, third);
            assertThat(format.polled()).isEqualTo(8);
        }
    }

    /** The task has time then; its header is seen all the same. */
    @Test
    void aRecordAloneIsDecodedAtItsTurn() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            for (int id = 1; id < 4; id++) {
                Sent[] alone = orders(id, id + 1);
                consumer.poll(alone);
                assertThat(format.decoder.waitingBytes()).isZero();
                readAll(format, id, alone);
            }
            byte[] bare = Records.hex("0805 120166");
            consumer.poll(Sent.of(bare).with("__value_schema_id", Records.hex("00 00000007 00")));
            assertThat(format.read(bare)).isEqualTo(row(5));
            assertThat(format.polled()).isZero();
            Sent[] two = orders(6, 8);
            consumer.poll(two);
            readAll(format, 6, two);
            assertThat(format.polled()).isEqualTo(2);
        }
    }

    @Test
    void withoutAnInterceptorRecordsAreDecodedSingly() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            readAll(format, 0, orders(0, 3));
            assertThat(format.polled()).isZero();
            assertThat(format.decoder.records()).isEqualTo(3);
        }
    }

    @Test
    void keysAndValuesAreEachDecodedForTheirOwnFormat() throws Exception {
        try (TestFormat keys = TestFormat.open("id BIGINT", 1 << 20);
                TestFormat values = TestFormat.open()) {
            for (int poll = 0; poll < 3; poll++) {
                Sent[] records = {
                    Sent.of(order(1), order(2)), Sent.of(order(3), null), Sent.of(null, order(4))
                };
                consumer.poll(records);
                assertThat(keys.read(records[0].key)).isEqualTo("[1]");
                assertThat(values.read(records[0].value)).isEqualTo(row(2));
                assertThat(keys.read(records[1].key)).isEqualTo("[3]");
                assertThat(values.read(records[2].value)).isEqualTo(row(4));
            }
            assertThat(keys.polled()).isEqualTo(4);
            assertThat(values.polled()).isEqualTo(4);
        }
    }

    @Test
    void keysBehindTheLastValueAreStillKnown() throws Exception {
        try (TestFormat keys = TestFormat.open("id BIGINT", 1 << 20);
                TestFormat values = TestFormat.open()) {
            for (int poll = 0; poll < 2; poll++) {
                Sent[] records = {Sent.of(order(1), order(2)), Sent.of(order(3), null)};
                consumer.poll(records);
                keys.read(records[0].key);
                values.read(records[0].value);
                keys.read(records[1].key);
            }
            assertThat(keys.polled()).isEqualTo(2);
        }
    }

    @Test
    void twoTablesOfOneGroupHaveTheirOwnConsumers() throws Exception {
        try (TestConsumer other = new TestConsumer();
                TestFormat ids = TestFormat.open("id BIGINT", 1 << 20);
                TestFormat names = TestFormat.open("name STRING", 1 << 20)) {
            for (int poll = 0; poll < 3; poll++) {
                Sent[] left = orders(0, 3);
                Sent[] right = orders(0, 3);
                consumer.poll(left);
                other.poll(right);
                for (int at = 0; at < 3; at++) {
                    assertThat(names.read(right[at].value))
                            .isEqualTo("[" + (char) ('a' + at) + "]");
                    assertThat(ids.read(left[at].value)).isEqualTo("[" + at + "]");
                }
            }
            assertThat(ids.polled()).isEqualTo(6);
            assertThat(names.polled()).isEqualTo(6);
        }
    }

    /** As nothing in Flink does: each still reads with its own plan. */
    @Test
    void aSecondFormatOverTheSameRecordsNeverGetsRowsOfTheFirst() throws Exception {
        try (TestFormat ids = TestFormat.open("id BIGINT", 1 << 20);
                TestFormat names = TestFormat.open("name STRING", 1 << 20)) {
            for (int poll = 0; poll < 3; poll++) {
                Sent[] records = orders(0, 3);
                consumer.poll(records);
                for (int at = 0; at < 3; at++) {
                    assertThat(ids.read(records[at].value)).isEqualTo("[" + at + "]");
                    assertThat(names.read(records[at].value))
                            .isEqualTo("[" + (char) ('a' + at) + "]");
                }
            }
            assertThat(ids.polled()).isEqualTo(6);
            assertThat(names.polled()).isZero();
        }
    }

    @Test
    void recordsOfSeveralSplitsAreFoundInTheOrderOfTheAnswer() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Map<Integer, List<Sent>> bySplit = new LinkedHashMap<>();
            bySplit.put(5, List.of(orders(1, 4)));
            bySplit.put(2, List.of(orders(4, 6)));
            consumer.poll(bySplit);
            readAll(format, 1, bySplit.get(5).toArray(new Sent[0]));
            readAll(format, 4, bySplit.get(2).toArray(new Sent[0]));
            assertThat(format.polled()).isEqualTo(5);
        }
    }

    @Test
    void anyOrderIsFoundUntilTheLastRecordOfAPoll() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Sent[] records = orders(1, 6);
            consumer.poll(records);
            for (int id : new int[] {3, 1, 2, 4, 5}) {
                assertThat(format.read(records[id - 1].value)).isEqualTo(row(id));
            }
            assertThat(format.polled()).isEqualTo(5);
        }
    }

    @Test
    void aRestartedConsumerIsBoundAnew() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Sent[] last = orders(1, 3);
            consumer.poll(last);
            consumer.close();
            readAll(format, 1, last);
            assertThat(format.polled()).as("made before it was closed").isEqualTo(2);
            try (TestConsumer next = new TestConsumer()) {
                for (int poll = 1; poll < 3; poll++) {
                    Sent[] records = orders(10 * poll, 10 * poll + 5);
                    next.poll(records);
                    readAll(format, 10 * poll, records);
                }
            }
            assertThat(format.polled()).isEqualTo(7);
        }
    }

    @Test
    void schemasMayChangeInMidPoll() throws Exception {
        AskedSchemas schemas = AskedSchemas.orders(null);
        try (TestFormat format =
                TestFormat.open(Engine.NATIVE, TestFormat.COLUMNS, 1 << 20, schemas)) {
            bind(format);
            Sent[] records = {
                Sent.of(order(7, 1)),
                Sent.of(order(8, 2)),
                Sent.of(order(9, 3)),
                Sent.of(order(8, 4))
            };
            consumer.poll(records);
            assertThat(schemas.framedCount).isEqualTo(4); // 7 twice, by each decoder
            for (int at = 0; at < records.length; at++) {
                assertThat(format.read(records[at].value)).isEqualTo("[" + (at + 1) + ", ]");
            }
            assertThat(schemas.framedCount).isEqualTo(4);
            assertThat(format.polled()).isEqualTo(4);
        }
    }

    @Test
    void aRefusedRecordIsRefusedAtItsTurnAndAlone() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            byte[] cut = Records.hex("00 00000007 00 0801 1205 61");
            byte[] missing = Records.hex("00 00000194 00 0801");
            Sent[] records = {Sent.of(order(1)), Sent.of(cut), Sent.of(missing), Sent.of(order(4))};
            consumer.poll(records);
            assertThat(format.read(records[0].value)).isEqualTo(row(1));
            assertThat(format.read(cut)).startsWith("[truncated 101]").contains("byte");
            assertThat(format.read(missing)).startsWith("[schema-not-found 502]");
            assertThat(format.read(records[3].value)).isEqualTo(row(4));
            assertThat(format.polled()).isEqualTo(2);
        }
    }

    @Test
    void recordsThatNobodyAsksForGoWithTheirPoll() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Sent[] beyondTheStop = {
                Sent.of(order(1)), Sent.of(new byte[] {1, 2, 3}), Sent.of(order(2))
            };
            Sent[] neverEmitted = orders(3, 6);
            Sent[] next = orders(7, 9);
            consumer.poll(beyondTheStop);
            consumer.poll(neverEmitted);
            consumer.poll(next);
            assertThat(format.read(beyondTheStop[0].value)).isEqualTo(row(1));
            readAll(format, 7, next);
            assertThat(format.decoder.waitingBytes()).isZero();
            assertThat(format.decoder.records()).as("rows that were asked for").isEqualTo(4);
        }
    }

    @Test
    void rowsThatWaitAreBounded() throws Exception {
        int row = 24;
        try (TestFormat format = TestFormat.open(TestFormat.COLUMNS, 10 * row + 1)) {
            bind(format);
            Sent[] second = orders(0, 8);
            Sent[] third = orders(8, 16);
            Sent[] fourth = orders(16, 20);
            consumer.poll(second);
            assertThat(format.decoder.waitingBytes()).isEqualTo(8 * row);
            consumer.poll(third);
            assertThat(format.decoder.waitingBytes()).isEqualTo(10 * row);
            consumer.poll(fourth);
            assertThat(format.decoder.waitingBytes()).isEqualTo(10 * row);
            readAll(format, 0, second);
            readAll(format, 8, third);
            readAll(format, 16, fourth);
            assertThat(format.decoder.waitingBytes()).isZero();
            assertThat(format.polled()).isEqualTo(10);
            assertThat(format.decoder.records()).isEqualTo(21);
        }
    }

    @Test
    void noBytesMeanNothingIsMadeAhead() throws Exception {
        try (TestFormat format = TestFormat.open(TestFormat.COLUMNS, 0)) {
            bind(format);
            Sent[] records = orders(1, 4);
            consumer.poll(records);
            readAll(format, 1, records);
            assertThat(format.polled()).isZero();
        }
    }

    @Test
    void aPollOfAnyLengthIsMadeAhead() throws Exception {
        try (TestFormat format = TestFormat.open(TestFormat.COLUMNS, 64 << 20)) {
            bind(format);
            byte[] name = new byte[300];
            for (int round = 0; round < 2; round++) {
                Sent[] records = new Sent[5_000];
                for (int at = 0; at < records.length; at++) {
                    String head = String.format("00 00000007 00 0801 12%s", "ac02");
                    byte[] record = Records.hex(head + "61".repeat(name.length));
                    records[at] = Sent.of(record);
                }
                consumer.poll(records);
                for (Sent record : records) {
                    assertThat(format.read(record.value)).startsWith("[1, aaa");
                }
            }
            assertThat(format.polled()).isEqualTo(10_000);
        }
    }

    @Test
    void recordsOfOtherMessagesAreKnownAhead() throws Exception {
        RowType row = Records.row(TestFormat.COLUMNS);
        try (TestFormat format =
                TestFormat.open(
                        Engine.NATIVE,
                        Records.plan(row).messageName("shop.Order"),
                        row,
                        1 << 20,
                        AskedSchemas.orders("shop.Order"))) {
            bind(format);
            byte[] refund = Records.hex("00 00000007 02 02 0803");
            Sent[] records = {Sent.of(order(1)), Sent.of(refund), Sent.of(order(2))};
            consumer.poll(records);
            assertThat(format.read(records[0].value)).isEqualTo(row(1));
            assertThat(format.read(refund)).isEqualTo("null");
            assertThat(format.read(records[2].value)).isEqualTo(row(2));
            assertThat(format.decoder.recordsByMessage()).isEqualTo(Map.of("shop.Order", 3L));
        }
    }

    /** A registry that does not answer for schema id 9. */
    private static final class Unreachable implements WriterSchemas {
        private final AskedSchemas answers = AskedSchemas.orders(null);
        private final List<String> askers = new ArrayList<>();

        @Override
        public WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
            if (key.id() == 9) {
                askers.add(Thread.currentThread().getName());
                throw new RecordException(FailureCode.REGISTRY_UNREACHABLE, "down", key, null);
            }
            return answers.resolve(key, indexes);
        }
    }

    @Test
    void aRegistryThatFailsShowsAtTheTurnOfTheRecordThatNeedsIt() throws Exception {
        Unreachable registry = new Unreachable();
        try (TestFormat format =
                TestFormat.open(Engine.NATIVE, TestFormat.COLUMNS, 1 << 20, registry)) {
            bind(format);
            Sent[] records = {
                Sent.of(order(1)), Sent.of(order(9, 2)), Sent.of(order(9, 3)), Sent.of(order(4))
            };
            Thread fetcher = new Thread(() -> consumer.poll(records), "fetcher");
            fetcher.start();
            fetcher.join();
            assertThat(registry.askers).as("once for a poll").containsExactly("fetcher");
            assertThat(format.read(records[0].value)).isEqualTo(row(1));
            assertThat(format.read(records[1].value)).contains("[registry-unreachable 505] down");
            assertThat(format.read(records[2].value)).contains("[registry-unreachable 505] down");
            assertThat(format.read(records[3].value)).isEqualTo(row(4));
            assertThat(format.polled()).isEqualTo(2);
        }
    }

    @Test
    void theEngineInJavaReadsSingly() throws Exception {
        AskedSchemas schemas = AskedSchemas.orders(null);
        try (TestFormat format =
                TestFormat.open(Engine.JAVA, TestFormat.COLUMNS, 1 << 20, schemas)) {
            bind(format);
            Sent[] records = orders(1, 4);
            consumer.poll(records);
            readAll(format, 1, records);
            assertThat(format.polled()).isZero();
        }
    }

    /**
     * A record is decoded anew each time that it is asked for, also by the format that had its row.
     */
    @Test
    void aRowIsGivenOutOnce() throws Exception {
        try (TestFormat format = TestFormat.open()) {
            bind(format);
            Sent[] records = orders(1, 3);
            consumer.poll(records);
            byte[] first = row(format, records[0]);
            byte[] again = row(format, records[0]);
            assertThat(again).isEqualTo(first).isNotSameAs(first);
            assertThat(format.polled()).isEqualTo(1);
        }
    }

    private static byte[] row(TestFormat format, Sent record) throws Exception {
        format.decoder.find(record.value);
        return format.decoder.decode(record.value);
    }
}
