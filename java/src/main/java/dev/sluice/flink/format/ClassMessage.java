package dev.sluice.flink.format;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.IOException;
import java.util.Arrays;

/** Bare records of a generated class, of which only the descriptors are shipped. */
public final class ClassMessage implements WrittenMessageProvider {
    private static final long serialVersionUID = 1L;

    private final byte[] descriptors;

    public ClassMessage(MessageClass message) {
        descriptors = message.descriptors().toByteArray();
    }

    @Override
    public WrittenMessage open() throws IOException {
        try {
            WriterDescriptors known = WriterDescriptors.parseFrom(descriptors);
            WriterMessage message =
                    WriterMessage.of(
                            WriterSchema.ofDescriptors(known),
                            known.getMessageName(),
                            SchemaOrigin.NONE);
            return new WrittenMessage(message, new byte[0]);
        } catch (InvalidProtocolBufferException | SchemaException e) {
            throw new IOException("the descriptors of the message class cannot be linked", e);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ClassMessage
                && Arrays.equals(descriptors, ((ClassMessage) other).descriptors);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(descriptors);
    }

    @Override
    public String toString() {
        return "message class";
    }
}
