package dev.sluice.flink.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.AskedSchemas;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.Records;
import dev.sluice.flink.kafka.TestConsumer.Sent;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Schema ids in headers (W14 to W19), read singly and with whole polls, by both engines. */
class SchemaHeadersTest {
    private static final String VALUE = "__value_schema_id";
    private static final String KEY = "__key_schema_id";

    /** Message {@code Order} of the GUID; {@code Refund} is the next one. */
    private static final String GUID = "01 0102030405060708090a0b0c0d0e0f10";

    private static final byte[] BARE = Records.hex("0805 120178");

    enum Way {
        NATIVE(Engine.NATIVE, true),
        NATIVE_SINGLY(Engine.NATIVE, false),
        JAVA(Engine.JAVA, false);

        final Engine engine;
        final boolean isAhead;

        Way(Engine engine, boolean isAhead) {
            this.engine = engine;
            this.isAhead = isAhead;
        }
    }

    /** What comes out of a value in a second poll. */
    private static String read(Way way, Sent record) throws Exception {
        return read(way, "shop.Order", record);
    }

    private static String read(Way way, String unframed, Sent record) throws Exception {
        try (TestConsumer consumer = new TestConsumer();
                TestFormat format =
                        TestFormat.open(
                                way.engine,
                                TestFormat.COLUMNS,
                                way.isAhead ? 1 << 20 : 0,
                                AskedSchemas.orders(unframed))) {
            Sent first = Sent.of(Records.hex("00 00000007 00 0801"));
            consumer.poll(first);
            assertThat(format.read(first.value)).isEqualTo("[1, ]");
            consumer.poll(record, first.copy()); // a record alone is not decoded ahead
            String row = format.read(record.value);
            assertThat(format.polled() == 1).isEqualTo(way.isAhead && row.matches("\\[\\d.*"));
            return row;
        }
    }

    @ParameterizedTest
    @EnumSource
    void aGuidInAHeaderNamesTheSchemaOfTheBareMessage(Way way) throws Exception {
        assertThat(read(way, Sent.of(BARE).with(VALUE, Records.hex(GUID + "00"))))
                .isEqualTo("[5, x]");
    }

    @ParameterizedTest
    @EnumSource
    void aHeaderMayHoldAnIdInstead(Way way) throws Exception {
        assertThat(read(way, Sent.of(BARE).with(VALUE, Records.hex("00 00000007 00"))))
                .isEqualTo("[5, x]");
    }

    /** Without the header it would be the first message, whose name would be {@code x}. */
    @ParameterizedTest
    @EnumSource
    void aHeaderNamesTheMessage(Way way) throws Exception {
        assertThat(read(way, Sent.of(BARE).with(VALUE, Records.hex(GUID + "02 02"))))
                .isEqualTo("[5, null]");
        assertThat(read(way, Sent.of(BARE))).isEqualTo("[5, x]");
    }

    @ParameterizedTest
    @EnumSource
    void theVeryFirstRecordIsReadByItsHeader(Way way) throws Exception {
        try (TestConsumer consumer = new TestConsumer();
                TestFormat format =
                        TestFormat.open(
                                way.engine,
                                TestFormat.COLUMNS,
                                way.isAhead ? 1 << 20 : 0,
                                AskedSchemas.orders("shop.Order"))) {
            Sent first = Sent.of(BARE).with(VALUE, Records.hex(GUID + "02 02"));
            consumer.poll(first);
            assertThat(format.read(first.value)).isEqualTo("[5, null]");
        }
    }

    @ParameterizedTest
    @EnumSource
    void theLastHeaderWins(Way way) throws Exception {
        assertThat(
                        read(
                                way,
                                Sent.of(BARE)
                                        .with(VALUE, Records.hex("ff"))
                                        .with(VALUE, Records.hex(GUID + "02 02"))))
                .isEqualTo("[5, null]");
    }

    @ParameterizedTest
    @EnumSource
    void aNullHeaderIsNoneAndThePrefixCounts(Way way) throws Exception {
        byte[] prefixed = Records.hex("00 00000007 02 02 0805");
        assertThat(
                        read(
                                way,
                                Sent.of(prefixed)
                                        .with(VALUE, Records.hex(GUID + "00"))
                                        .with(VALUE, null)))
                .isEqualTo("[5, null]");
    }

    @ParameterizedTest
    @EnumSource
    void bytesBehindTheIndexesAreIgnored(Way way) throws Exception {
        assertThat(read(way, Sent.of(BARE).with(VALUE, Records.hex(GUID + "00 0807"))))
                .isEqualTo("[5, x]");
    }

    /** Neither the prefix nor the latest schema is tried, though both would do. */
    @ParameterizedTest
    @EnumSource
    void aBrokenHeaderIsAnError(Way way) throws Exception {
        for (String header : new String[] {"", "02", "00 000000", GUID, GUID + "04 02", "ff"}) {
            for (String value : new String[] {"00 00000007 00 0805", "0805"}) {
                byte[] octets = Records.hex(value);
                assertThat(read(way, Sent.of(octets).with(VALUE, Records.hex(header))))
                        .startsWith("[bad-frame 201] header '__value_schema_id' is broken: ")
                        .doesNotContainPattern("byte \\d+\\)");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void theWholePayloadIsTheMessage(Way way) throws Exception {
        byte[] prefixed = Records.hex("00 00000007 00 0805");
        assertThat(read(way, Sent.of(prefixed).with(VALUE, Records.hex("00 00000007 00"))))
                .startsWith("[invalid-tag")
                .contains("byte 0)");
    }

    @ParameterizedTest
    @EnumSource
    void offsetsCountFromTheStartOfThePayload(Way way) throws Exception {
        byte[] cut = Records.hex("0805 1205 78");
        assertThat(read(way, Sent.of(cut).with(VALUE, Records.hex(GUID + "00"))))
                .startsWith("[truncated 101]")
                .contains("byte 2)");
    }

    @ParameterizedTest
    @EnumSource
    void anEmptyPayloadWithAHeaderIsAnEmptyMessage(Way way) throws Exception {
        assertThat(read(way, null, Sent.of(new byte[0]).with(VALUE, Records.hex(GUID + "00"))))
                .isEqualTo("[0, ]");
    }

    @ParameterizedTest
    @EnumSource
    void anUnknownMessageOfAHeaderIsRefused(Way way) throws Exception {
        assertThat(read(way, Sent.of(BARE).with(VALUE, Records.hex(GUID + "02 40"))))
                .contains("unknown-message-index");
    }

    @ParameterizedTest
    @EnumSource
    void keysHaveAHeaderOfTheirOwn(Way way) throws Exception {
        try (TestConsumer consumer = new TestConsumer();
                TestFormat keys =
                        TestFormat.open(
                                way.engine,
                                "id BIGINT",
                                way.isAhead ? 1 << 20 : 0,
                                AskedSchemas.orders("shop.Refund"));
                TestFormat values =
                        TestFormat.open(
                                way.engine,
                                TestFormat.COLUMNS,
                                way.isAhead ? 1 << 20 : 0,
                                AskedSchemas.orders("shop.Order"))) {
            for (int poll = 0; poll < 3; poll++) {
                Sent record =
                        Sent.of(Records.hex("0806"), BARE)
                                .with(KEY, Records.hex(GUID + "02 04"))
                                .with(VALUE, Records.hex(GUID + "02 02"));
                consumer.poll(record);
                assertThat(keys.read(record.key)).isEqualTo("[null]");
                assertThat(values.read(record.value)).isEqualTo("[5, null]");
            }
        }
    }
}
