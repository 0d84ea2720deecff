package dev.sluice.flink.engine;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.WriterSchema;

/**
 * The message that the records of one frame hold, in the two forms that engines read: facts for
 * native code, and protobuf-java's own descriptor. Both describe the same message of one schema.
 */
public final class WriterMessage {
    private final byte[] resolved;
    private final Descriptor descriptor;

    /**
     * @param resolved a serialized {@code ResolvedSchema}; not copied
     * @param descriptor its root message
     */
    public WriterMessage(byte[] resolved, Descriptor descriptor) {
        this.resolved = resolved;
        this.descriptor = descriptor;
    }

    /**
     * The message that message indexes select in a schema.
     *
     * @throws SchemaException if they select nothing
     */
    public static WriterMessage of(WriterSchema schema, int[] indexes) throws SchemaException {
        return new WriterMessage(schema.message(indexes).toByteArray(), schema.descriptor(indexes));
    }

    /** A serialized {@code ResolvedSchema}; not to be changed. */
    public byte[] resolved() {
        return resolved;
    }

    /** The message's descriptor, linked with all that it reaches. */
    public Descriptor descriptor() {
        return descriptor;
    }
}
