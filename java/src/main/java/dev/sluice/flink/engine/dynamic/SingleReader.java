package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.FieldDescriptor;

/** A singular field. */
final class SingleReader implements ColumnReader {
    private final FieldDescriptor field;
    private final ValueConverter converter;
    private final boolean readsDefault;

    /**
     * @param readsDefault an absent field reads as its default instead of NULL
     */
    SingleReader(FieldDescriptor field, ValueConverter converter, boolean readsDefault) {
        this.field = field;
        this.converter = converter;
        this.readsDefault = readsDefault;
    }

    @Override
    public Object read(Fields message) throws FaultException {
        if (!readsDefault && !message.has(field)) {
            return null;
        }
        try {
            return converter.convert(message.value(field));
        } catch (FaultException fault) {
            throw fault.inside(field.getName());
        }
    }
}
