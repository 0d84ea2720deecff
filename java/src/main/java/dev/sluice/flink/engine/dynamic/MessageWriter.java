package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.rowimage.ImageCell;
import dev.sluice.flink.engine.rowimage.ImageRow;

import java.util.function.IntFunction;

/**
 * A row of the table, an entry of a map, or the one value of a wrapper, to a message. Columns are
 * written from the last to the first: of several members of a oneof the last column counts, and the
 * values of others are not looked at.
 */
final class MessageWriter {
    private final Descriptor message;
    private final FieldWriter[] columns;
    private final FieldDescriptor lacks; // FLINK: a required field that no column sets, or null

    MessageWriter(Descriptor message, FieldWriter[] columns, FieldDescriptor lacks) {
        this.message = message;
        this.columns = columns;
        this.lacks = lacks;
    }

    Descriptor message() {
        return message;
    }

    DynamicMessage write(byte[] row, int offset, int length) throws FaultException {
        return write(ImageRow.of(row, offset, length, columns.length)::cell);
    }

    DynamicMessage writeRow(ImageCell cell) throws FaultException {
        return write(cell.row(columns.length)::cell);
    }

    /** A message whose columns stand wherever {@code cells} finds them. */
    DynamicMessage write(IntFunction<ImageCell> cells) throws FaultException {
        if (lacks != null) {
            throw new FaultException(
                            FailureCode.MISSING_REQUIRED, "no column sets a required field")
                    .inside(lacks.getName());
        }
        DynamicMessage.Builder builder = DynamicMessage.newBuilder(message);
        for (int column = columns.length - 1; column >= 0; column--) {
            columns[column].write(builder, cells.apply(column));
        }
        return builder.buildPartial();
    }
}
