package dev.sluice.flink.engine;

/** A decoder or encoder, which may own native memory. */
public interface EngineResource extends AutoCloseable {
    /** Releases what is owned. Closing twice is allowed, use afterwards is not. */
    @Override
    void close();
}
