package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

/** A message that protobuf-java has parsed as a whole. */
final class WholeMessage implements Fields {
    private final Message message;

    WholeMessage(Message message) {
        this.message = message;
    }

    /** The message without any field. */
    static WholeMessage empty(Descriptor type) {
        return new WholeMessage(DynamicMessage.getDefaultInstance(type));
    }

    /** A value of protobuf-java as converters see it. */
    static Object seen(Object value) {
        return value instanceof Message ? new WholeMessage((Message) value) : value;
    }

    Message message() {
        return message;
    }

    @Override
    public boolean has(FieldDescriptor field) {
        return message.hasField(field);
    }

    @Override
    public Object value(FieldDescriptor field) {
        return seen(message.getField(field));
    }

    @Override
    public int count(FieldDescriptor field) {
        return message.getRepeatedFieldCount(field);
    }

    @Override
    public Object element(FieldDescriptor field, int at) {
        return seen(message.getRepeatedField(field, at));
    }
}
