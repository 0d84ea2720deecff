package dev.sluice.flink.format;

import dev.sluice.flink.deadletter.DeadLetters;
import dev.sluice.flink.engine.Frame;
import dev.sluice.flink.kafka.PolledDecoder;

import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;

import java.lang.ref.WeakReference;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;

/**
 * What a metric group tells about decoding; {@code docs/metrics.md} lists it for users.
 *
 * <p>The key and the value format of one operator are given the same group, where Flink would drop
 * the second metric of a name. So the decoders of a group share these metrics, which tell sums.
 * Counters are of one task thread, gauges are asked from any.
 *
 * <p>The group and the decoders' owners keep the metrics alive; nothing here does.
 */
public final class DecodeMetrics {

    private static final Map<MetricGroup, WeakReference<DecodeMetrics>> BY_GROUP =
            new WeakHashMap<>();

    private final MetricGroup group; // null where there is none
    private final List<PolledDecoder> decoders = new CopyOnWriteArrayList<>();
    private final List<WriterSchemaProvider.Open> schemas = new CopyOnWriteArrayList<>();
    private final List<DeadLetters> deadLetters = new CopyOnWriteArrayList<>();
    private final Counter refused = new SimpleCounter();
    private final Counter skipped = new SimpleCounter();
    private final Counter unframed = new SimpleCounter();
    private final Counter otherMessages = new SimpleCounter();
    private final Counter bytes = new SimpleCounter();
    private final Set<String> messages = new HashSet<>();

    private DecodeMetrics(MetricGroup group) {
        this.group = group;
    }

    /**
     * The metrics of a group.
     *
     * @param group null where there is none: then nobody but the caller sees the metrics
     */
    public static DecodeMetrics of(MetricGroup group) {
        if (group == null) {
            return new DecodeMetrics(null);
        }
        synchronized (BY_GROUP) {
            WeakReference<DecodeMetrics> known = BY_GROUP.get(group);
            DecodeMetrics metrics = known == null ? null : known.get();
            if (metrics == null) {
                metrics = new DecodeMetrics(group);
                metrics.register();
                BY_GROUP.put(group, new WeakReference<>(metrics));
            }
            return metrics;
        }
    }

    private void register() {
        group.gauge("nativeRecords", () -> records(true));
        group.gauge("javaRecords", () -> records(false));
        group.gauge("polledRecords", () -> sum(PolledDecoder::polledRecords));
        group.gauge("polledBytesWaiting", () -> sum(PolledDecoder::waitingBytes));
        group.counter("numDeserializeErrors", refused);
        group.counter("skippedRecords", skipped);
        group.counter("unframedRecords", unframed);
        group.counter("otherMessageRecords", otherMessages);
        group.counter("bytesIn", bytes);
        group.gauge(
                "deadLettersSent", () -> deadLetters.stream().mapToLong(DeadLetters::sent).sum());
        group.gauge(
                "deadLettersFailed",
                () -> deadLetters.stream().mapToLong(DeadLetters::failed).sum());
        group.gauge("schemaFetches", this::fetches);
        group.gauge("schemaFetchMillis", this::fetchMillis);
    }

    /**
     * Tells of this decoder from now on.
     *
     * @param letters null if there are none
     */
    public void add(PolledDecoder decoder, WriterSchemaProvider.Open open, DeadLetters letters) {
        decoders.add(decoder);
        schemas.add(open);
        if (letters != null) {
            deadLetters.add(letters);
        }
    }

    /**
     * Counts a record before it is decoded.
     *
     * @param wantsFrame whether it should have a frame, as no header has one for it
     */
    public void countRecord(byte[] record, boolean wantsFrame) {
        bytes.inc(record.length);
        if (wantsFrame && Frame.isUnframed(record)) {
            unframed.inc();
        }
    }

    public void countRefused() {
        refused.inc();
    }

    public void countSkipped() {
        skipped.inc();
    }

    /** Counts a record of a message that nobody asks for. */
    public void countOtherMessage() {
        otherMessages.inc();
    }

    /**
     * Tells of messages that are new: a group {@code message.<full name>} with the gauge {@code
     * records} for each. To be called when a decoder has met one.
     */
    public void addMessages() {
        if (group == null) {
            return;
        }
        for (PolledDecoder decoder : decoders) {
            for (String name : decoder.recordsByMessage().keySet()) {
                if (messages.add(name)) {
                    group.addGroup("message", name).gauge("records", () -> ofMessage(name));
                }
            }
        }
    }

    private long ofMessage(String name) {
        return decoders.stream()
                .mapToLong(decoder -> decoder.recordsByMessage().getOrDefault(name, 0L))
                .sum();
    }

    private long records(boolean isNative) {
        return decoders.stream()
                .filter(decoder -> decoder.isNative() == isNative)
                .mapToLong(PolledDecoder::records)
                .sum();
    }

    private long sum(ToLongFunction<PolledDecoder> count) {
        return decoders.stream().mapToLong(count).sum();
    }

    private long fetches() {
        return schemas.stream().mapToLong(WriterSchemaProvider.Open::fetches).sum();
    }

    /** The mean. */
    private long fetchMillis() {
        long count = fetches();
        long nanos = schemas.stream().mapToLong(WriterSchemaProvider.Open::fetchNanos).sum();
        return count == 0 ? 0 : TimeUnit.NANOSECONDS.toMillis(nanos) / count;
    }
}
