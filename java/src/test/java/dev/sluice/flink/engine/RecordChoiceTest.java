package dev.sluice.flink.engine;

import static dev.sluice.flink.engine.Records.hex;
import static dev.sluice.flink.engine.Records.open;
import static dev.sluice.flink.engine.Records.plan;
import static dev.sluice.flink.engine.Records.refusal;
import static dev.sluice.flink.engine.Records.row;
import static dev.sluice.flink.engine.Records.values;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.RowSelection;
import dev.sluice.flink.plan.UnframedRecords;

import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What each record is read as: framed or not, one message of several, with metadata. Both engines
 * are held to the same answers.
 */
class RecordChoiceTest {
    private static final RowType ROW = row("`id` BIGINT, `name` STRING");

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void recordsWithoutFrameAreReadBesideFramedOnes(Engine engine) throws Exception {
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
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
        try (RecordDecoder decoder = open(engine, plan(ROW), AskedSchemas.orders("shop.Order"))) {
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

    /** A required field that is absent makes it no such message, as anything else that is wrong. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aRecordWithoutFrameHasTheRequiredFieldsOfProto2(Engine engine) throws Exception {
        String text =
                "syntax = 'proto2'; message A { required int64 id = 1; optional string name = 2; }";
        try (RecordDecoder decoder = open(engine, plan(ROW), new AskedSchemas(text, "A"))) {
            assertThat(values(decoder.decode(hex("0807 120161")), ROW)).isEqualTo(List.of(7L, "a"));
            assertThat(refusal(decoder, "120161")).isEqualTo("bad-frame schema id 41");
            assertThat(refusal(decoder, "")).isEqualTo("bad-frame schema id 41");
            assertThatThrownBy(() -> decoder.decode(hex("120161")))
                    .hasMessageContaining("missing-required")
                    .hasMessageContaining("field id");
            // With a frame, the record says itself what it is.
            assertThat(refusal(decoder, "00 00000007 00 120161"))
                    .isEqualTo("missing-required schema id 7");
            assertThat(decoder.records()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aBrokenFrameIsNoRecordWithoutFrame(Engine engine) throws Exception {
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
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
        try (RecordDecoder decoder = open(engine, plan(ROW), AskedSchemas.orders("shop.Nothing"))) {
            assertThat(decoder.decode(hex(""))).isNotNull();
            assertThat(refusal(decoder, "0807")).startsWith("bad-frame");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void withoutASchemaOrIfTheTableSaysSoTheFrameIsMissing(Engine engine) throws Exception {
        try (RecordDecoder decoder = open(engine, plan(ROW), AskedSchemas.orders(null))) {
            assertThat(refusal(decoder, "0807")).startsWith("bad-frame");
            assertThat(refusal(decoder, "")).startsWith("bad-frame");
        }
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
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
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
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
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
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
        AskedSchemas schemas = AskedSchemas.orders("shop.Refund");
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
        AskedSchemas schemas = AskedSchemas.orders("shop.Order");
        try (RecordDecoder decoder = open(engine, plan(row).metadata(keys), schemas)) {
            String guid = AskedSchemas.GUID.toString();
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

    /** As a table has them whose connector takes binary rows: behind the columns that it wants. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void metadataStandsInBinaryRowsBehindTheColumns(Engine engine) throws Exception {
        List<String> keys = List.of("message-name", "schema-id");
        RowSelection selection = RowSelection.of(ROW, new int[][] {{1}, {0}}, keys);
        PlanBuilder plan = plan(selection.decoded()).metadata(keys);
        try (RecordDecoder decoder = open(engine, plan, AskedSchemas.orders("shop.Order"))) {
            RowData row = selection.opener(true).open(decoder.decode(hex("00 00000007 00 0801")));
            assertThat(row).isInstanceOf(BinaryRowData.class);
            assertThat(row.getArity()).isEqualTo(4);
            assertThat(row.getString(0)).hasToString("");
            assertThat(row.getLong(1)).isEqualTo(1);
            assertThat(row.getString(2)).hasToString("shop.Order");
            assertThat(row.getInt(3)).isEqualTo(7);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void metadataIsHeldToItsColumn(Engine engine) throws Exception {
        RowType strict = row("`id` BIGINT, `g` STRING NOT NULL");
        PlanBuilder notNull = plan(strict).metadata(List.of("schema-guid"));
        try (RecordDecoder decoder = open(engine, notNull, AskedSchemas.orders("shop.Order"))) {
            assertThat(decoder.decode(hex("00 00000007 00 0801"))).isNotNull();
            assertThat(refusal(decoder, "0801")).isEqualTo("null-in-not-null schema id 41");
        }
        PlanBuilder unknown = plan(ROW).metadata(List.of("colour"));
        assertThatThrownBy(() -> open(engine, unknown, AskedSchemas.orders(null)))
                .hasMessageContaining("unsupported-plan")
                .hasMessageContaining("colour");
    }
}
