package dev.sluice.flink.registry;

import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.WriterSchema;

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
     * The schema under {@code key}. Blocks while it, or what it imports, is being fetched by this
     * or another thread; failures are not remembered.
     *
     * @throws IllegalStateException if the store is closed
     */
    public WriterSchema schema(SchemaKey key) throws RegistryException {
        if (closed.get()) {
            throw new IllegalStateException("the schema store is closed");
        }
        return shared.schema(key);
    }

    /** May be called twice, and by another thread to end a fetch of the last open store. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            shared.release();
        }
    }
}
