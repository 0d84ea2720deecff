package dev.sluice.flink.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.schema.SchemaKey;

import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

@Timeout(30)
class DeadLettersTest {
    private static final byte[] RECORD = {0, 0, 0, 0, 7, 0, 8};
    private static final Clock CLOCK =
            Clock.fixed(Instant.parse("2030-01-02T03:04:05Z"), ZoneOffset.UTC);
    private static final RecordException WHY =
            new RecordException(
                    FailureCode.TRUNCATED,
                    "the record ends inside a field",
                    SchemaKey.ofId(7),
                    "shop.Order",
                    "line[].sku",
                    OptionalLong.of(42),
                    null);

    private static DeadLetterConfig config(boolean fails, boolean isKey) {
        return new DeadLetterConfig(
                "dead", Map.of("bootstrap.servers", "x:1"), fails, "orders", isKey);
    }

    private static MockProducer<byte[], byte[]> producer(boolean acknowledges) {
        return new MockProducer<>(
                acknowledges, new ByteArraySerializer(), new ByteArraySerializer());
    }

    private static Map<String, String> headers(ProducerRecord<byte[], byte[]> letter) {
        Map<String, String> headers = new LinkedHashMap<>();
        letter.headers()
                .forEach(
                        one ->
                                headers.put(
                                        one.key(),
                                        new String(one.value(), StandardCharsets.UTF_8)));
        return headers;
    }

    @Test
    void aLetterHoldsTheBytesAndSaysWhy() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        try (DeadLetters letters = new DeadLetters(config(true, false), producer, 1000, CLOCK)) {
            letters.send(RECORD, WHY);
            assertThat(letters.sent()).isEqualTo(1);
        }
        ProducerRecord<byte[], byte[]> letter = producer.history().get(0);
        assertThat(letter.topic()).isEqualTo("dead");
        assertThat(letter.key()).isNull();
        assertThat(letter.value()).isEqualTo(RECORD);
        Map<String, String> expected = new LinkedHashMap<>();
        expected.put("error.class", RecordException.class.getName());
        expected.put("error.message", WHY.getMessage());
        expected.put("source.topic", "orders");
        expected.put("source.role", "value");
        expected.put("error.code", "truncated");
        expected.put("error.number", "101");
        expected.put("schema.id", "7");
        expected.put("message.name", "shop.Order");
        expected.put("field.path", "line[].sku");
        expected.put("byte.offset", "42");
        expected.put("error.time", "2030-01-02T03:04:05Z");
        assertThat(headers(letter)).containsExactlyEntriesOf(expected);
        assertThat(producer.closed()).isTrue();
    }

    @Test
    void whatIsNotKnownHasNoHeader() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        UUID guid = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");
        try (DeadLetters letters = new DeadLetters(config(true, true), producer, 1000, CLOCK)) {
            letters.send(RECORD, new RecordException(FailureCode.BAD_FRAME, "no frame"));
            letters.send(
                    RECORD,
                    new RecordException(
                            FailureCode.SCHEMA_NOT_FOUND, "none", SchemaKey.ofGuid(guid), null));
        }
        assertThat(headers(producer.history().get(0)))
                .containsEntry("source.role", "key")
                .doesNotContainKeys(
                        "schema.id", "schema.guid", "message.name", "field.path", "byte.offset");
        assertThat(headers(producer.history().get(1)))
                .containsEntry("schema.guid", guid.toString())
                .doesNotContainKey("schema.id");
    }

    @Test
    void aLetterKeepsTheHeaderThatNamesItsSchema() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        byte[] header = {1, 2, 3};
        try (DeadLetters letters = new DeadLetters(config(true, false), producer, 1000, CLOCK)) {
            letters.send(RECORD, header, WHY);
        }
        ProducerRecord<byte[], byte[]> letter = producer.history().get(0);
        assertThat(letter.headers().lastHeader("__value_schema_id").value()).isEqualTo(header);
        assertThat(headers(letter)).containsEntry("error.code", "truncated");
    }

    @Test
    void sendingWaitsForTheBroker() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(false);
        try (DeadLetters letters = new DeadLetters(config(true, false), producer, 20_000, CLOCK)) {
            CompletableFuture<Void> sending =
                    CompletableFuture.runAsync(
                            () -> {
                                try {
                                    letters.send(RECORD, WHY);
                                } catch (IOException e) {
                                    throw new AssertionError(e);
                                }
                            });
            while (producer.history().isEmpty()) {
                Thread.onSpinWait();
            }
            Thread.sleep(100);
            assertThat(sending).isNotDone();
            assertThat(letters.sent()).isZero();
            producer.completeNext();
            sending.get();
            assertThat(letters.sent()).isEqualTo(1);
        }
    }

    @Test
    void aLetterThatIsNotTakenFailsTheTask() {
        MockProducer<byte[], byte[]> producer = producer(true);
        producer.sendException = new TimeoutException("no broker");
        try (DeadLetters letters = new DeadLetters(config(true, false), producer, 1000, CLOCK)) {
            assertThatThrownBy(() -> letters.send(RECORD, WHY))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("topic 'dead'")
                    .hasMessageContaining("no broker")
                    .hasSuppressedException(WHY);
            assertThat(letters.failed()).isEqualTo(1);
        }
    }

    @Test
    void waitingIsBounded() {
        MockProducer<byte[], byte[]> producer = producer(false);
        try (DeadLetters letters = new DeadLetters(config(true, false), producer, 50, CLOCK)) {
            assertThatThrownBy(() -> letters.send(RECORD, WHY))
                    .hasMessageContaining("not acknowledged in time");
        }
    }

    @Test
    void aTableMayPreferToGoOn() throws Exception {
        MockProducer<byte[], byte[]> producer = producer(true);
        producer.sendException = new TimeoutException("no broker");
        try (DeadLetters letters = new DeadLetters(config(false, false), producer, 1000, CLOCK)) {
            letters.send(RECORD, WHY);
            assertThat(letters.failed()).isEqualTo(1);
            assertThat(letters.sent()).isZero();
        }
    }

    /** Kafka throws more than its own exceptions: here, of a producer that is closed. */
    @Test
    void whateverSendingThrowsIsALetterThatIsNotSent() throws Exception {
        MockProducer<byte[], byte[]> closed = producer(true);
        closed.close();
        try (DeadLetters letters = new DeadLetters(config(true, false), closed, 1000, CLOCK)) {
            assertThatThrownBy(() -> letters.send(RECORD, WHY))
                    .isInstanceOf(IOException.class)
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasSuppressedException(WHY);
            assertThat(letters.failed()).isEqualTo(1);
        }
        try (DeadLetters letters = new DeadLetters(config(false, false), closed, 1000, CLOCK)) {
            letters.send(RECORD, WHY);
            assertThat(letters.failed()).isEqualTo(1);
        }
    }

    @Test
    void anInterruptEndsTheWaiting() {
        MockProducer<byte[], byte[]> producer = producer(false);
        try (DeadLetters letters = new DeadLetters(config(false, false), producer, 9000, CLOCK)) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> letters.send(RECORD, WHY)).hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void withoutABrokerNothingIsSent() throws Exception {
        DeadLetterConfig nowhere =
                new DeadLetterConfig("dead", Map.of("acks", "1"), true, "orders", false);
        try (DeadLetters letters = DeadLetters.open(nowhere)) {
            letters.send(RECORD, WHY);
            assertThat(letters.sent() + letters.failed()).isZero();
        }
    }

    private static DeadLetterConfig config(String name, String value) {
        return new DeadLetterConfig("dead", Map.of(name, value), true, "orders", false);
    }

    @Test
    void isAValueThatHidesSecrets() {
        DeadLetterConfig config = config("sasl.jaas.config", "s3cret");
        assertThat(config)
                .isEqualTo(config("sasl.jaas.config", "s3cret"))
                .isNotEqualTo(config("sasl.jaas.config", "other"));
        assertThat(config.toString()).contains("dead").doesNotContain("s3cret");
        DeadLetterConfig broken =
                new DeadLetterConfig(
                        "dead",
                        Map.of(
                                "bootstrap.servers", "127.0.0.1:1",
                                "security.protocol", "SASL_PLAINTEXT",
                                "sasl.mechanism", "PLAIN",
                                "sasl.jaas.config", "s3cret is not JAAS"),
                        true,
                        "orders",
                        false);
        assertThatThrownBy(() -> DeadLetters.open(broken))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("dead-letter.properties")
                .satisfies(
                        e -> {
                            for (Throwable at = e; at != null; at = at.getCause()) {
                                assertThat(at.toString()).doesNotContain("s3cret");
                            }
                        });
    }

    /** The user page lists every header, and no other. */
    @Test
    void thePageListsTheHeaders() throws Exception {
        String page =
                Files.readString(Path.of(System.getProperty("sluice.docs"), "dead-letters.md"));
        List<String> listed =
                page.lines()
                        .filter(line -> line.matches("\\| `[a-z.]+` \\|.*"))
                        .map(line -> line.substring(3, line.indexOf('`', 3)))
                        .toList();
        assertThat(listed)
                .containsExactlyInAnyOrder(
                        DeadLetters.ERROR_CLASS,
                        DeadLetters.ERROR_MESSAGE,
                        DeadLetters.SOURCE_TOPIC,
                        DeadLetters.SOURCE_ROLE,
                        DeadLetters.ERROR_CODE,
                        DeadLetters.ERROR_NUMBER,
                        DeadLetters.SCHEMA_ID,
                        DeadLetters.SCHEMA_GUID,
                        DeadLetters.MESSAGE_NAME,
                        DeadLetters.FIELD_PATH,
                        DeadLetters.BYTE_OFFSET,
                        DeadLetters.ERROR_TIME);
    }
}
