package dev.sluice.flink.engine;

import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * The schemas of one format for both of its decoders, which are used by different threads: what one
 * of them was told, the other is told as well. One asks at a time; decoding does not wait for it.
 */
public final class SharedWriterSchemas implements WriterSchemas {
    private final WriterSchemas schemas;

    public SharedWriterSchemas(WriterSchemas schemas) {
        this.schemas = schemas;
    }

    @Override
    public synchronized WriterMessage resolve(SchemaKey key, int[] indexes)
            throws RecordException, IOException {
        return schemas.resolve(key, indexes);
    }

    @Override
    public synchronized WriterMessage resolveUnframed() throws RecordException, IOException {
        return schemas.resolveUnframed();
    }

    @Override
    public Optional<Duration> unframedLifetime() {
        return schemas.unframedLifetime();
    }
}
