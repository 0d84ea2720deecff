package dev.sluice.flink.engine;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

/**
 * The message that the records of one frame hold, in the two forms that engines read: facts for
 * native code, and protobuf-java's own descriptor. Both describe the same message of one schema.
 */
public final class WriterMessage {
    private final byte[] resolved;
    private final Descriptor descriptor;
    private final SchemaOrigin origin;

    /**
     * @param resolved a serialized {@code ResolvedSchema}; not copied
     * @param descriptor its root message
     * @param origin the schema that it belongs to
     */
    public WriterMessage(byte[] resolved, Descriptor descriptor, SchemaOrigin origin) {
        this.resolved = resolved;
        this.descriptor = descriptor;
        this.origin = origin;
    }

    /**
     * The message that message indexes select in a schema.
     *
     * @throws SchemaException if they select nothing
     */
    public static WriterMessage of(WriterSchema schema, int[] indexes, SchemaOrigin origin)
            throws SchemaException {
        return new WriterMessage(
                schema.message(indexes).toByteArray(), schema.descriptor(indexes), origin);
    }

    /**
     * The message of this full name.
     *
     * @throws SchemaException if the schema has none
     */
    public static WriterMessage of(WriterSchema schema, String fullName, SchemaOrigin origin)
            throws SchemaException {
        return new WriterMessage(
                schema.message(fullName).toByteArray(), schema.descriptor(fullName), origin);
    }

    /** A serialized {@code ResolvedSchema}; not to be changed. */
    public byte[] resolved() {
        return resolved;
    }

    /** What the registry calls the schema that the message belongs to. */
    public SchemaOrigin origin() {
        return origin;
    }

    /** The message's descriptor, linked with all that it reaches. */
    public Descriptor descriptor() {
        return descriptor;
    }
}
