package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.bridge.FailureCode;

import java.util.ArrayList;
import java.util.List;

/** A repeated field as an ARRAY. */
final class ArrayReader implements ColumnReader {
    private final FieldDescriptor field;
    private final ValueConverter element;
    private final boolean elementNotNull;
    private final boolean nullIfEmpty;

    ArrayReader(
            FieldDescriptor field,
            ValueConverter element,
            boolean elementNotNull,
            boolean nullIfEmpty) {
        this.field = field;
        this.element = element;
        this.elementNotNull = elementNotNull;
        this.nullIfEmpty = nullIfEmpty;
    }

    @Override
    public Object read(Fields message) throws FaultException {
        int count = message.count(field);
        if (count == 0 && nullIfEmpty) {
            return null;
        }
        List<Object> array = new ArrayList<>(count);
        try {
            for (int at = 0; at < count; at++) {
                Object value = element.convert(message.element(field, at));
                if (value == null && elementNotNull) {
                    throw new FaultException(
                            FailureCode.NULL_IN_NOT_NULL,
                            "an element of field " + field.getName() + " is NULL, and NOT NULL");
                }
                array.add(value);
            }
        } catch (FaultException fault) {
            throw fault.inside(field.getName() + "[]");
        }
        return array;
    }
}
