package dev.sluice.flink.engine;

import static dev.sluice.flink.engine.Records.open;
import static dev.sluice.flink.engine.Records.plan;
import static dev.sluice.flink.engine.Records.refusal;
import static dev.sluice.flink.engine.Records.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What decoders remember of frames whose records cannot be read, and for how many of them. */
class RefusedFramesOfDecodersTest {

    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aFrameThatWasRefusedIsNotResolvedAgain(Engine engine) throws Exception {
        AskedSchemas schemas = AskedSchemas.orders(null);
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

    /** A topic of poison takes no more memory than that, and what is forgotten is asked again. */
    @ParameterizedTest
    @EnumSource(names = {"NATIVE", "JAVA"})
    void aThousandFramesAreRemembered(Engine engine) throws Exception {
        AskedSchemas schemas = AskedSchemas.orders(null);
        try (RecordDecoder decoder = open(engine, plan(row("`id` BIGINT")), schemas)) {
            for (int id = 1000; id < 2500; id++) {
                assertThat(refusal(decoder, badFrame(id))).startsWith("unknown-message-index");
            }
            assertThat(schemas.framedCount).isEqualTo(1500);
            for (int id = 1500; id < 2500; id++) {
                assertThat(refusal(decoder, badFrame(id)))
                        .isEqualTo("unknown-message-index schema id " + id);
            }
            assertThat(schemas.framedCount).as("all of the last thousand").isEqualTo(1500);
            refusal(decoder, badFrame(1499));
            assertThat(schemas.framedCount).as("not one more").isEqualTo(1501);
        }
    }

    /** Of a message that no schema has. */
    private static String badFrame(int id) {
        return String.format("00 %08x 0210", id);
    }
}
