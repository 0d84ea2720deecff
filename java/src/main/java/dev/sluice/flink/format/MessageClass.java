package dev.sluice.flink.format;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.api.ValidationException;

import java.util.Objects;

/**
 * What is known of a message through its generated class: a value made of descriptors, which holds
 * nothing of the class itself. Equal to another one with the same name and equal descriptors.
 */
public final class MessageClass {

    private final String option;
    private final String className;
    private final WriterDescriptors descriptors;
    private final Descriptor descriptor;
    private final ResolvedSchema resolved;
    private final boolean proto3;

    private MessageClass(String option, String className, WriterDescriptors descriptors)
            throws SchemaException {
        this.option = option;
        this.className = className;
        this.descriptors = descriptors;
        WriterSchema schema = WriterSchema.ofDescriptors(descriptors);
        this.descriptor = schema.descriptor(descriptors.getMessageName());
        this.resolved = schema.message(descriptors.getMessageName());
        this.proto3 = schema.isProto3(descriptors.getMessageName());
    }

    /**
     * Reads the descriptors of a generated class.
     *
     * @param option the format option that names the class, for messages
     * @param className binary name
     * @param planning where the class is looked for; after it, the context class loader of the
     *     thread, which is where Flink's own format looks
     * @throws ValidationException naming class and option, if there is no such class or it is not
     *     one that protoc generated for a message
     */
    public static MessageClass load(String option, String className, ClassLoader planning) {
        try {
            return new MessageClass(
                    option, className, DescriptorReflection.read(find(className, planning)));
        } catch (ReflectiveOperationException | LinkageError | ClassCastException e) {
            throw refusal(option, className, "is not a usable class of a Protobuf message", e);
        } catch (SchemaException e) {
            throw refusal(option, className, "has a descriptor that cannot be linked", e);
        }
    }

    private static Class<?> find(String className, ClassLoader planning)
            throws ClassNotFoundException {
        try {
            return Class.forName(className, true, planning);
        } catch (ClassNotFoundException missing) {
            ClassLoader thread = Thread.currentThread().getContextClassLoader();
            if (thread == null || thread == planning) {
                throw missing;
            }
            return Class.forName(className, true, thread);
        }
    }

    private static ValidationException refusal(
            String option, String className, String why, Throwable cause) {
        return new ValidationException(
                String.format("Option '%s': %s %s: %s", option, className, why, cause), cause);
    }

    /** The message with all that it reaches. */
    public ResolvedSchema resolved() {
        return resolved;
    }

    /** The message's file first, then all that it imports. */
    public WriterDescriptors descriptors() {
        return descriptors;
    }

    /** The message as our own protobuf-java sees it. */
    public Descriptor descriptor() {
        return descriptor;
    }

    /** The message in the forms that engines read. */
    public WriterMessage writerMessage() {
        return new WriterMessage(resolved.toByteArray(), descriptor, SchemaOrigin.NONE);
    }

    /** Whether the file that declares the message is proto3. */
    public boolean isProto3() {
        return proto3;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof MessageClass
                && className.equals(((MessageClass) other).className)
                && descriptors.equals(((MessageClass) other).descriptors);
    }

    @Override
    public int hashCode() {
        return Objects.hash(className, descriptors);
    }

    @Override
    public String toString() {
        return option + "=" + className;
    }
}
