package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.schema.SchemaKey;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.util.OptionalLong;

class RecordExceptionTest {
    private static final RecordException FULL =
            new RecordException(
                    FailureCode.INVALID_UTF8,
                    "a string is not valid UTF-8",
                    SchemaKey.ofId(7),
                    "shop.v1.Order",
                    "line[].sku",
                    OptionalLong.of(42),
                    null);

    @Test
    void theMessageHoldsCodeReasonAndPlace() {
        assertThat(FULL)
                .hasMessage(
                        "[invalid-utf8 106] a string is not valid UTF-8 (schema id 7, message"
                                + " shop.v1.Order, field line[].sku, byte 42)");
    }

    @Test
    void whatIsNotKnownIsLeftOut() {
        assertThat(new RecordException(FailureCode.BAD_FRAME, "the record is empty"))
                .hasMessage("[bad-frame 201] the record is empty");
    }

    @Test
    void theRestOfItSurvivesSerialization() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(FULL);
        }
        RecordException copy;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = (RecordException) in.readObject();
        }
        assertThat(copy).hasMessage(FULL.getMessage());
        assertThat(copy.code()).isEqualTo(FailureCode.INVALID_UTF8);
        assertThat(copy.byteOffset()).hasValue(42);
        assertThat(copy.fieldPath()).isEqualTo("line[].sku");
        assertThat(copy.messageName()).isEqualTo("shop.v1.Order");
        assertThat(copy.reason()).isEqualTo("a string is not valid UTF-8");
    }
}
