package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.FieldDescriptor;

/**
 * A parsed message as converters see it. Values are those of protobuf-java, except that a message
 * is a {@code Fields} again.
 */
interface Fields {
    /** Whether a singular field was on the wire and is not cleared again. */
    boolean has(FieldDescriptor field);

    /** The value of a singular field; its default if it is absent. */
    Object value(FieldDescriptor field);

    /** Elements of a repeated field. */
    int count(FieldDescriptor field);

    /** One element of a repeated field. */
    Object element(FieldDescriptor field, int at);
}
