package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaKey;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;

/**
 * Linked writer schemas of one registry, each fetched with its references once per process.
 *
 * <p>Stores opened with equal configs (credentials included) share cache and connections; others
 * share nothing. Thread safe. Opening connects to nothing. Closing the last store of a config ends
 * its threads; a store that is dropped instead leaves them to time-out and garbage collector.
 */
public final class SchemaStore implements AutoCloseable {
    private final SharedSchemas shared;
    private final AtomicBoolean closed = new AtomicBoolean();

    private final FetchCount fetched = new FetchCount();

    private SchemaStore(SharedSchemas shared) {
        this.shared = shared;
    }

    public static SchemaStore open(RegistryConfig config) {
        return open(config, System::nanoTime);
    }

    /** With a clock that tests can turn. */
    static SchemaStore open(RegistryConfig config, LongSupplier clock) {
        return new SchemaStore(SharedSchemas.acquire(config, clock));
    }

    /**
     * The schema under {@code key}, an id as {@code subject} knows it (R4, H5). Blocks while it, or
     * what it imports, is being fetched by this or another thread. A failure that concerns the
     * record, or rules, is remembered for a while; one of the surroundings is not.
     *
     * @param subject empty for the default context
     * @throws IllegalStateException if the store is closed
     */
    public LinkedSchema schema(SchemaKey key, String subject) throws RegistryException {
        return open().schema(key, subject, fetched);
    }

    /**
     * The subject's latest schema as it was at most a second ago; its origin tells the id, and
     * callers who want to stay with it remember that.
     *
     * @throws RegistryException {@code NOT_FOUND} if the subject has no schema
     * @throws IllegalStateException if the store is closed
     */
    public LinkedSchema latest(String subject) throws RegistryException {
        return open().latest(subject, fetched);
    }

    /**
     * The latest of the subject's schemas that have all these properties in their metadata, deleted
     * ones included; otherwise like {@link #latest(String)}.
     *
     * @throws RegistryException {@code NOT_FOUND} if there is none
     * @throws IllegalStateException if the store is closed
     */
    public LinkedSchema latest(String subject, Map<String, String> metadata)
            throws RegistryException {
        return open().latest(subject, metadata, fetched);
    }

    /**
     * How often this store asked for a schema that was not known, with all its references, in vain
     * or not. What another store of the same config was just asking for counts there. Also of a
     * closed store.
     */
    public long fetches() {
        return fetched.fetches();
    }

    /** The time that {@link #fetches()} took in sum, retries and linking included. */
    public long fetchNanos() {
        return fetched.nanos();
    }

    /** The time that the last of the {@link #fetches()} took; 0 before the first. */
    public long lastFetchNanos() {
        return fetched.lastNanos();
    }

    /** The connection, for questions of a writer. */
    RegistryClient client() {
        return open().client();
    }

    private SharedSchemas open() {
        if (closed.get()) {
            throw new IllegalStateException("the schema store is closed");
        }
        return shared;
    }

    /** May be called twice, and by another thread to end a fetch of the last open store. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            shared.release();
        }
    }
}
