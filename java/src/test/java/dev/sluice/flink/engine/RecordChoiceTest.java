package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.row.PlainValues;
import dev.sluice.flink.row.RowOpener;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What each record is read as: framed or not, one message of several, with metadata; and what is
 * remembered of records that cannot be read. Both engines are held to the same answers.
 */
class RecordChoiceTest {
    private static final String TEXT =
            "syntax = 'proto3'; package shop;"
                    + " message Order { int64 id = 1; string name = 2; repeated int32 n = 4;"
                    + " message Line { string id = 1; } }"
                    + " message Refund { int64 id = 1; } message Nothing {}";
    private static final UUID GUID = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");
    private static final RowType ROW = row("`id` BIGINT, `name` STRING");

    private static RowType row(String columns) {
        return (RowType)
                LogicalTypeParser.parse(
                        "ROW<" + columns + ">", RecordChoiceTest.class.getClassLoader());
    }

    /** Schemas of a registry that counts what it is asked. */
    private static final class Asked implements WriterSchemas {
        private String unframed; // message, or null for none
        private Duration lifetime;
        private int framedCount;
        private int unframedCount;

        Asked(String unframed) {
            this.unframed = unframed;
        }

        @Override
        public WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
            framedCount++;
            if (!key.isGuid() && key.id() == 404) {
                throw new RecordException(FailureCode.SCHEMA_NOT_FOUND, "none", key, null);
            }
            try {
                return WriterMessage.of(
                        WriterSchema.of(TEXT, Map.of()),
                        indexes,
                        key.isGuid()
                                ? SchemaOrigin.ofGuid(key.guid())
                                : SchemaOrigin.ofId(key.id(), GUID));
            } catch (SchemaException e) {
                throw new RecordException(
                        FailureCode.UNKNOWN_MESSAGE_INDEX, e.getMessage(), key, e);
            }
        }

        @Override
        public WriterMessage resolveUnframed() throws RecordException, IOException {
            unframedCount++;
            if (unframed == null) {
                return WriterSchemas.super.resolveUnframed();
            }
            try {
                return WriterMessage.of(
                        WriterSchema.of(TEXT, Map.of()),
                        unframed,
                        SchemaOrigin.ofId(40 + unframedCount, null));
            } catch (SchemaException e) {
                throw new AssertionError(e);
            }
        }

        @Override
        public Optional<Duration> unframedLifetime() {
            return Optional.ofNullable(lifetime);
        }
    }

    private static PlanBuilder plan(RowType row) {
        return new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY)
                .unframedRecords(UnframedRecords.LATEST);
    }

    private static RecordDecoder open(Engine engine, PlanBuilder plan, WriterSchemas schemas)
            throws RecordException {
        return engine.open(plan.build(), schemas);
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    private static Object values(byte[] row, RowType type) {
        return row == null ? null : PlainValues.ofRow(RowOpener.generic(type).open(row), type);
    }

    private static String refusal(RecordDecoder decoder, String record) {
        try {
            decoder.decode(hex(record));
            return "a row";
        } catch (RecordException e) {
            return e.code().label() + " " + e.schemaKey();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void recordsWithoutFrameAreReadBesideFramedOnes(Engine engine) throws Exception {
        Asked schemas = new Asked("shop.Order");
        try (RecordDecoder decoder = open(engine, plan(ROW), schemas)) {
            for (int round = 0; round < 3; round++) {
                assertThat(values(decoder.decode(hex("0807 120161")), ROW))
                        .isEqualTo(List.of(7L, "a"));
                assertThat(values(decoder.decode(hex("")), ROW)).isEqualTo(List.of(0L, ""));
                assertThat(values(decoder.decode(hex("00 00000007 00 0808")), ROW))
                        .isEqualTo(List.of(8L, ""));
            }
            assertThat(schemas.unframedCount).isEqualTo(1);
            assertThat(schemas.framedCount).isEqualTo(1);
            assertThat(decoder.records()).isEqualTo(9);
            assertThat(decoder.recordsByMessage()).isEqualTo(Map.of("shop.Order", 9L));
        }
    }

    /** Decision 22. A field counts if the message has it, whether or not a column asks for it. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aRecordWithoutFrameMustEarnIt(Engine engine) throws Exception {
        try (RecordDecoder decoder = open(engine, plan(ROW), new Asked("shop.Order"))) {
            assertThat(decoder.decode(hex("2005"))).isNotNull(); // field 4, one element
            assertThat(decoder.decode(hex("22020506"))).isNotNull(); // field 4, packed
            assertThat(decoder.decode(hex("5005 2005"))).isNotNull(); // behind an unknown field
            String bad = "bad-frame schema id 41";
            assertThat(refusal(decoder, "5005")).isEqualTo(bad); // field 10 alone
            assertThat(refusal(decoder, "0d00000000")).isEqualTo(bad); // field 1 as fixed32
            assertThat(refusal(decoder, "0807 1205")).isEqualTo(bad); // cut
            assertThat(refusal(decoder, "0807 1201ff")).isEqualTo(bad); // no UTF-8
            assertThat(refusal(decoder, "0807 00")).isEqualTo(bad); // trailing zero
            String text = HexFormat.of().formatHex("{\"id\":1}".getBytes(StandardCharsets.UTF_8));
            assertThat(refusal(decoder, text)).isEqualTo(bad);
            assertThatThrownBy(() -> decoder.decode(hex("0807 1201ff")))
                    .hasMessageContaining("invalid-utf8")
                    .hasMessageContaining("message shop.Order, field name, byte ");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aBrokenFrameIsNoRecordWithoutFrame(Engine engine) throws Exception {
        Asked schemas = new Asked("shop.Order");
        try (RecordDecoder decoder = open(engine, plan(ROW), schemas)) {
            assertThat(refusal(decoder, "00")).startsWith("bad-frame");
            assertThat(refusal(decoder, "01 0102")).startsWith("bad-frame");
            assertThat(refusal(decoder, "00 00000007 01")).isEqualTo("bad-frame schema id 7");
            assertThat(schemas.unframedCount).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aMessageWithoutFieldsIsOnlyTheEmptyRecord(Engine engine) throws Exception {
        try (RecordDecoder decoder = open(engine, plan(ROW), new Asked("shop.Nothing"))) {
            assertThat(decoder.decode(hex(""))).isNotNull();
            assertThat(refusal(decoder, "0807")).startsWith("bad-frame");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void withoutASchemaOrIfTheTableSaysSoTheFrameIsMissing(Engine engine) throws Exception {
        try (RecordDecoder decoder = open(engine, plan(ROW), new Asked(null))) {
            assertThat(refusal(decoder, "0807")).startsWith("bad-frame");
            assertThat(refusal(decoder, "")).startsWith("bad-frame");
        }
        Asked schemas = new Asked("shop.Order");
        PlanBuilder failing = plan(ROW).unframedRecords(UnframedRecords.FAIL);
        try (RecordDecoder decoder = open(engine, failing, schemas)) {
            assertThat(refusal(decoder, "0807")).startsWith("bad-frame");
            assertThat(schemas.unframedCount).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aLifetimeMakesTheLatestBeAskedForAgain(Engine engine) throws Exception {
        RowType row = row("`id` BIGINT, `s` INT");
        Asked schemas = new Asked("shop.Order");
        schemas.lifetime = Duration.ofMillis(1);
        PlanBuilder plan = plan(row).metadata(List.of("schema-id"));
        try (RecordDecoder decoder = open(engine, plan, schemas)) {
            assertThat(values(decoder.decode(hex("0807")), row)).isEqualTo(List.of(7L, 41));
            Thread.sleep(5);
            assertThat(values(decoder.decode(hex("0807")), row)).isEqualTo(List.of(7L, 42));
            assertThat(values(decoder.decode(hex("00 00000007 00 0808")), row))
                    .isEqualTo(List.of(8L, 7));
        }
    }

    /** The old message goes on under its own id, and the new one is not asked for each record. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aLatestThatCannotBeUsedDoesNotReplaceTheOneBefore(Engine engine) throws Exception {
        Asked schemas = new Asked("shop.Order");
        schemas.lifetime = Duration.ofMillis(1);
        try (RecordDecoder decoder = open(engine, plan(ROW), schemas)) {
            assertThat(decoder.decode(hex("0807"))).isNotNull();
            Thread.sleep(5);
            schemas.unframed = "shop.Order.Line"; // its id is a STRING
            for (int round = 0; round < 3; round++) {
                assertThat(refusal(decoder, "0a0161")).isEqualTo("type-mismatch schema id 42");
            }
            assertThat(schemas.unframedCount).isEqualTo(2);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void onlyTheMessageThatIsAskedForGivesRows(Engine engine) throws Exception {
        Asked schemas = new Asked("shop.Refund");
        PlanBuilder plan = plan(ROW).messageName("shop.Refund");
        try (RecordDecoder decoder = open(engine, plan, schemas)) {
            for (int round = 0; round < 2; round++) {
                assertThat(decoder.decode(hex("00 00000007 00 0807"))).isNull();
                // Its id is a STRING, which the column cannot hold; nobody asks for it.
                assertThat(decoder.decode(hex("00 00000007 040000 0a0161"))).isNull();
                assertThat(values(decoder.decode(hex("00 00000007 0202 0807")), ROW).toString())
                        .isEqualTo("[7, null]");
                assertThat(values(decoder.decode(hex("0809")), ROW).toString())
                        .isEqualTo("[9, null]");
                assertThat(refusal(decoder, "00 00000007 0208"))
                        .isEqualTo("unknown-message-index schema id 7");
            }
            assertThat(decoder.recordsByMessage()).isEqualTo(Map.of("shop.Refund", 4L));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void metadataTellsOfSchemaAndMessage(Engine engine) throws Exception {
        RowType row = row("`a` STRING, `id` BIGINT, `g` STRING, `m` STRING, `s` INT");
        List<String> keys = List.of("schema-guid", "message-name", "schema-id");
        Asked schemas = new Asked("shop.Order");
        try (RecordDecoder decoder = open(engine, plan(row).metadata(keys), schemas)) {
            String guid = GUID.toString();
            assertThat(values(decoder.decode(hex("00 00000007 00 0801")), row).toString())
                    .isEqualTo("[null, 1, " + guid + ", shop.Order, 7]");
            // The same message under another id: a program of its own.
            assertThat(values(decoder.decode(hex("00 00000008 00 0801")), row).toString())
                    .isEqualTo("[null, 1, " + guid + ", shop.Order, 8]");
            byte[] byGuid = hex("01" + guid.replace("-", "") + "0202 0801");
            assertThat(values(decoder.decode(byGuid), row).toString())
                    .isEqualTo("[null, 1, " + guid + ", shop.Refund, null]");
            assertThat(values(decoder.decode(hex("0801")), row).toString())
                    .isEqualTo("[null, 1, null, shop.Order, 41]");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void metadataIsHeldToItsColumn(Engine engine) throws Exception {
        RowType strict = row("`id` BIGINT, `g` STRING NOT NULL");
        PlanBuilder notNull = plan(strict).metadata(List.of("schema-guid"));
        try (RecordDecoder decoder = open(engine, notNull, new Asked("shop.Order"))) {
            assertThat(decoder.decode(hex("00 00000007 00 0801"))).isNotNull();
            assertThat(refusal(decoder, "0801")).isEqualTo("null-in-not-null schema id 41");
        }
        PlanBuilder unknown = plan(ROW).metadata(List.of("colour"));
        assertThatThrownBy(() -> open(engine, unknown, new Asked(null)))
                .hasMessageContaining("unsupported-plan")
                .hasMessageContaining("colour");
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aFrameThatWasRefusedIsNotResolvedAgain(Engine engine) throws Exception {
        Asked schemas = new Asked(null);
        RowType wrong = row("`id` BYTES");
        try (RecordDecoder decoder = open(engine, plan(wrong), schemas)) {
            for (int round = 0; round < 5; round++) {
                assertThat(refusal(decoder, "00 00000194 00 0801"))
                        .isEqualTo("schema-not-found schema id 404");
                assertThat(refusal(decoder, "00 00000007 00 0a0161"))
                        .startsWith("type-mismatch schema id 7");
                assertThat(refusal(decoder, "00 00000007 0210"))
                        .isEqualTo("unknown-message-index schema id 7");
            }
            assertThat(schemas.framedCount).isEqualTo(3);
        }
    }
}
