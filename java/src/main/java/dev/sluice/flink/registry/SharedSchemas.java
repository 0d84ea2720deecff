package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.lang.ref.WeakReference;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * The schemas and the connection that all open stores of one config share in this process.
 *
 * <p>{@link #LIVE} maps a hash of the whole config, credentials included, to the shared part and
 * holds it weakly: open stores hold it strongly, the last one to close ends it, and stores that
 * were dropped without closing leave it to the garbage collector. The hash keeps secrets out of a
 * static map.
 *
 * <p>Ids, GUIDs and numbered versions are immutable, so what they name stays (R9) as long as there
 * is room; "latest" stays for a second, so that the subtasks of a job that starts ask once.
 */
final class SharedSchemas {
    private static final Map<String, WeakReference<SharedSchemas>> LIVE = new HashMap<>();
    private static final Duration LATEST_LIFETIME = Duration.ofSeconds(1);

    private final String identity;
    private final LongSupplier clock;
    private final Transport transport;
    private final RegistryClient client;
    private final SchemaLinker linker;
    private final SingleFlight<List<Object>, LinkedSchema> schemas; // by id and subject, or GUID
    private final SingleFlight<List<Object>, LinkedSchema> latest; // by subject and metadata
    private final SingleFlight<List<Object>, RegisteredSchema> versions; // by subject and number
    private int stores; // guarded by LIVE

    private SharedSchemas(String identity, RegistryConfig config, LongSupplier clock) {
        this.identity = identity;
        this.clock = clock;
        transport = new Transport(config);
        client = new RegistryClient(new FailoverSender(config, transport));
        int max = config.schemasMax();
        int missingMax = config.missingCacheSize();
        ToLongFunction<LinkedSchema> weight = linked -> linked.schema().textLength();
        Duration missing = config.missingLifetime();
        schemas = new SingleFlight<>(clock, max, weight, null, missingMax, missing);
        latest =
                new SingleFlight<>(
                        clock, max, weight, LATEST_LIFETIME, missingMax, LATEST_LIFETIME);
        versions =
                new SingleFlight<>(
                        clock, max, version -> version.text().length(), null, 0, Duration.ZERO);
        linker = new SchemaLinker(client, this::version, max);
    }

    /**
     * The shared part for {@code config}; each call wants one {@link #release}.
     *
     * @param clock of the lifetimes, in nanoseconds; that of the first caller counts
     */
    static SharedSchemas acquire(RegistryConfig config, LongSupplier clock) {
        String identity = hash(config);
        synchronized (LIVE) {
            LIVE.values().removeIf(shared -> shared.get() == null);
            WeakReference<SharedSchemas> present = LIVE.get(identity);
            SharedSchemas shared = present == null ? null : present.get();
            if (shared == null) {
                shared = new SharedSchemas(identity, config, clock);
                LIVE.put(identity, new WeakReference<>(shared));
            }
            shared.stores++;
            return shared;
        }
    }

    RegistryClient client() {
        return client;
    }

    void release() {
        synchronized (LIVE) {
            stores--;
            if (stores > 0) {
                return;
            }
            LIVE.remove(identity);
        }
        transport.close();
    }

    private static String hash(RegistryConfig config) {
        MessageDigest sha = Digests.sha256();
        config.identity().forEach(part -> Digests.add(sha, part));
        return new String(sha.digest(), StandardCharsets.ISO_8859_1);
    }

    /**
     * @param count of whoever asks, if this is what fetches; as for the other questions
     */
    LinkedSchema schema(SchemaKey key, String subject, FetchCount count) throws RegistryException {
        String wanted = key.toString();
        List<Object> name = key.isGuid() ? List.of(key) : List.of(key, subject);
        return schemas.get(
                name,
                wanted,
                () ->
                        timed(
                                count,
                                () -> linked(client.schema(key, subject), key, subject, wanted)));
    }

    LinkedSchema latest(String subject, FetchCount count) throws RegistryException {
        String wanted = "the latest schema of subject '" + subject + "'";
        return latest.get(
                List.of(subject),
                wanted,
                () -> timed(count, () -> linked(client.latest(subject), null, subject, wanted)));
    }

    LinkedSchema latest(String subject, Map<String, String> metadata, FetchCount count)
            throws RegistryException {
        SortedMap<String, String> sorted = new TreeMap<>(metadata);
        String wanted = "the latest schema of subject '" + subject + "' with metadata " + sorted;
        return latest.get(
                List.of(subject, sorted),
                wanted,
                () ->
                        timed(
                                count,
                                () ->
                                        linked(
                                                client.latest(subject, sorted),
                                                null,
                                                subject,
                                                wanted)));
    }

    /** A reference's target: what a number names stays, -1 is asked anew. */
    private RegisteredSchema version(String subject, int version, String wanted)
            throws RegistryException {
        SingleFlight.Fetch<RegisteredSchema> fetch = () -> client.version(subject, version, wanted);
        return version == Reference.LATEST
                ? fetch.fetch()
                : versions.get(List.of(subject, version), wanted, fetch);
    }

    private LinkedSchema timed(FetchCount count, SingleFlight.Fetch<LinkedSchema> fetch)
            throws RegistryException {
        long start = clock.getAsLong();
        try {
            return fetch.fetch();
        } finally {
            count.add(clock.getAsLong() - start);
        }
    }

    /**
     * @param asked what it was asked for by; null if by subject
     * @param subject that was asked for
     */
    private LinkedSchema linked(
            RegisteredSchema root, SchemaKey asked, String subject, String wanted)
            throws RegistryException {
        boolean isGuid = asked != null && asked.isGuid();
        // Asked by id, an older registry does not tell the subject. A GUID may be of any subject.
        String context = root.subject() != null || isGuid ? root.subject() : subject;
        WriterSchema schema = linker.link(root, context, wanted);
        return new LinkedSchema(
                schema, origin(root.origin(), asked), root.isGuidTold(), root.writeRules());
    }

    /** What was asked for, and what the answer adds to it. */
    private static SchemaOrigin origin(SchemaOrigin answered, SchemaKey asked) {
        if (asked == null) {
            return answered;
        }
        return asked.isGuid()
                ? SchemaOrigin.ofGuid(asked.guid())
                : SchemaOrigin.ofId(asked.id(), answered.guid().orElse(null));
    }
}
