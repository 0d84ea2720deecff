package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

/** A oneof as one ROW of its members (D12): NULL if none is set. */
final class OneofReader implements ColumnReader {
    private final OneofDescriptor oneof;
    private final RowConverter members;

    OneofReader(OneofDescriptor oneof, RowConverter members) {
        this.oneof = oneof;
        this.members = members;
    }

    @Override
    public Object read(Fields message) throws FaultException {
        for (FieldDescriptor member : oneof.getFields()) {
            if (message.has(member)) {
                return members.convert(message);
            }
        }
        return null;
    }
}
