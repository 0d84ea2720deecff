package dev.sluice.flink.deadletter;

import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.schema.SchemaKey;

import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.lang.ref.Cleaner;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Sends the bytes of skipped records to a topic, one at a time: {@link #send} returns once the
 * broker has the letter. A format has neither a hook at checkpoints nor one at the end, so nothing
 * may wait in a buffer: a restart may repeat a letter, and loses none.
 *
 * <p>Belongs to one task thread, but for {@link #close}. An instance that is dropped unclosed is
 * closed by the garbage collector's {@link Cleaner}, so that no producer outlives its task for
 * long.
 */
public final class DeadLetters implements AutoCloseable {
    /** Of the exception, as the format that people come from names it. */
    static final String ERROR_CLASS = "error.class";

    static final String ERROR_MESSAGE = "error.message";
    static final String SOURCE_TOPIC = "source.topic";

    /** {@code key} or {@code value}. */
    static final String SOURCE_ROLE = "source.role";

    /** The label of the failure code, {@code truncated}. */
    static final String ERROR_CODE = "error.code";

    /** The number of the failure code. */
    static final String ERROR_NUMBER = "error.number";

    static final String SCHEMA_ID = "schema.id";
    static final String SCHEMA_GUID = "schema.guid";
    static final String MESSAGE_NAME = "message.name";
    static final String FIELD_PATH = "field.path";
    static final String BYTE_OFFSET = "byte.offset";

    /** A letter is a value, whichever half of its record it was. */
    static final String SCHEMA_HEADER = "__value_schema_id";

    /** When the record was skipped, ISO-8601. */
    static final String ERROR_TIME = "error.time";

    private static final Logger LOG = LoggerFactory.getLogger(DeadLetters.class);
    private static final Cleaner CLEANER = Cleaner.create();
    private static final Duration SILENCE = Duration.ofSeconds(10);
    private static final Duration SLACK = Duration.ofSeconds(1);

    private final DeadLetterConfig config;
    private final Producer<byte[], byte[]> producer; // null without a broker
    private final Cleaner.Cleanable release;
    private final long patienceMillis;
    private final Clock clock;
    private long toldNanos;
    private volatile long sent; // one thread writes
    private volatile long failed; // one thread writes

    DeadLetters(
            DeadLetterConfig config,
            Producer<byte[], byte[]> producer,
            long patienceMillis,
            Clock clock) {
        this.config = config;
        this.producer = producer;
        this.patienceMillis = patienceMillis;
        this.clock = clock;
        release = CLEANER.register(this, new Release(producer));
    }

    /**
     * Opens the producer.
     *
     * @throws IllegalArgumentException if Kafka does not accept the producer's properties; the text
     *     holds no values
     */
    public static DeadLetters open(DeadLetterConfig config) {
        if (!config.hasBroker()) {
            LOG.warn(
                    "dead letters are not sent: option 'dead-letter.properties.bootstrap.servers'"
                            + " is missing. Skipped records are only counted");
            return new DeadLetters(config, null, 0, Clock.systemUTC());
        }
        ProducerSettings settings = ProducerSettings.of(config.producer());
        return new DeadLetters(
                config,
                producer(settings),
                settings.patienceMillis() + SLACK.toMillis(),
                Clock.systemUTC());
    }

    /** Kafka finds classes through the thread's context class loader. */
    private static Producer<byte[], byte[]> producer(ProducerSettings settings) {
        Thread thread = Thread.currentThread();
        ClassLoader loader = thread.getContextClassLoader();
        thread.setContextClassLoader(DeadLetters.class.getClassLoader());
        try {
            return new KafkaProducer<>(
                    settings.asMap(), new ByteArraySerializer(), new ByteArraySerializer());
        } catch (KafkaException e) {
            throw new IllegalArgumentException(
                    "the producer for dead letters cannot be made of"
                            + " 'dead-letter.properties': "
                            + reason(e),
                    null);
        } finally {
            thread.setContextClassLoader(loader);
        }
    }

    /** Kafka's messages may quote values of properties, and JAAS texts are among these. */
    private static String reason(KafkaException e) {
        Throwable last = e;
        while (last.getCause() != null) {
            last = last.getCause();
        }
        return last.getClass().getSimpleName();
    }

    /**
     * Sends the bytes of a record that was skipped, and waits until the broker has them.
     *
     * @param record the whole record as the format got it; not kept
     * @param why it was skipped
     * @throws IOException if the letter cannot be sent, or the broker does not take it in time, and
     *     that fails the task; or if the thread was interrupted. {@code why} is suppressed in it
     */
    public void send(byte[] record, RecordException why) throws IOException {
        send(record, null, why);
    }

    /**
     * The same for a record whose schema was named in a header, which the letter gets as well.
     *
     * @param schemaHeader the header's value; null for none
     */
    public void send(byte[] record, byte[] schemaHeader, RecordException why) throws IOException {
        if (producer == null) {
            return;
        }
        ProducerRecord<byte[], byte[]> letter =
                new ProducerRecord<>(config.topic(), null, null, record);
        if (schemaHeader != null) {
            letter.headers().add(SCHEMA_HEADER, schemaHeader);
        }
        addHeaders(letter.headers(), why);
        try {
            producer.send(letter).get(patienceMillis, TimeUnit.MILLISECONDS);
            sent++;
        } catch (InterruptedException | InterruptException e) {
            Thread.currentThread().interrupt();
            throw failure("was interrupted while it waited for the broker", e, why);
        } catch (TimeoutException e) {
            notSent("is not acknowledged in time", e, why);
        } catch (ExecutionException e) {
            notSent("is not taken by the broker: " + e.getCause(), e.getCause(), why);
        } catch (RuntimeException e) {
            // Kafka's own, and what its code throws if the producer is closed or broken
            notSent("cannot be sent: " + e, e, why);
        }
    }

    private void notSent(String what, Throwable cause, RecordException why) throws IOException {
        failed++;
        IOException failure = failure(what, cause, why);
        if (config.failsTask()) {
            throw failure;
        }
        if (isTimeToTell(System.nanoTime())) {
            LOG.warn(
                    "{}; the record is lost ({} letters are so far)", failure.getMessage(), failed);
        }
    }

    private boolean isTimeToTell(long nanos) {
        if (failed > 1 && nanos - toldNanos < SILENCE.toNanos()) {
            return false;
        }
        toldNanos = nanos;
        return true;
    }

    private IOException failure(String what, Throwable cause, RecordException why) {
        IOException failure =
                new IOException(
                        "the dead letter for topic '" + config.topic() + "' " + what, cause);
        failure.addSuppressed(why);
        return failure;
    }

    private void addHeaders(Headers headers, RecordException why) {
        add(headers, ERROR_CLASS, why.getClass().getName());
        add(headers, ERROR_MESSAGE, why.getMessage());
        add(headers, SOURCE_TOPIC, config.sourceTopic());
        add(headers, SOURCE_ROLE, config.isKey() ? "key" : "value");
        add(headers, ERROR_CODE, why.code().label());
        add(headers, ERROR_NUMBER, String.valueOf(why.code().number()));
        SchemaKey key = why.schemaKey();
        if (key != null) {
            add(
                    headers,
                    key.isGuid() ? SCHEMA_GUID : SCHEMA_ID,
                    key.isGuid() ? key.guid().toString() : String.valueOf(key.id()));
        }
        add(headers, MESSAGE_NAME, why.messageName());
        add(headers, FIELD_PATH, why.fieldPath());
        if (why.byteOffset().isPresent()) {
            add(headers, BYTE_OFFSET, String.valueOf(why.byteOffset().getAsLong()));
        }
        add(headers, ERROR_TIME, clock.instant().toString());
    }

    private static void add(Headers headers, String name, String value) {
        if (!value.isEmpty()) {
            headers.add(name, value.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Letters that the broker has. From any thread. */
    public long sent() {
        return sent;
    }

    /** Letters that were not acknowledged. From any thread. */
    public long failed() {
        return failed;
    }

    /** May be called twice. */
    @Override
    public void close() {
        release.clean();
    }

    /** Must not refer to the letters, or they would never be collected. */
    private static final class Release implements Runnable {
        private final Producer<byte[], byte[]> producer;

        Release(Producer<byte[], byte[]> producer) {
            this.producer = producer;
        }

        @Override
        public void run() {
            if (producer != null) {
                producer.close(Duration.ZERO); // nothing waits in it
            }
        }
    }
}
