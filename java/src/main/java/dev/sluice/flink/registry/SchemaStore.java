package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaKey;

import java.util.concurrent.atomic.AtomicBoolean;

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

    private SchemaStore(SharedSchemas shared) {
        this.shared = shared;
    }

    public static SchemaStore open(RegistryConfig config) {
        return new SchemaStore(SharedSchemas.acquire(config));
    }

    /**
     * The schema under {@code key}, an id as {@code subject} knows it (R4, H5). Blocks while it, or
     * what it imports, is being fetched by this or another thread; failures are not remembered.
     *
     * @param subject empty for the default context
     * @throws IllegalStateException if the store is closed
     */
    public LinkedSchema schema(SchemaKey key, String subject) throws RegistryException {
        return open().schema(key, subject);
    }

    /**
     * The subject's latest schema as it is now; its origin tells the id, and callers who want to
     * stay with it remember that.
     *
     * @throws RegistryException {@code NOT_FOUND} if the subject has no schema
     * @throws IllegalStateException if the store is closed
     */
    public LinkedSchema latest(String subject) throws RegistryException {
        return open().latest(subject);
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
