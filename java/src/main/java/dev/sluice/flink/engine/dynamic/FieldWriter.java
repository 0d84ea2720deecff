package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.engine.rowimage.ImageCell;

/** Sets the field, or the member of a oneof, that one column stands for. */
@FunctionalInterface
interface FieldWriter {
    /**
     * @param cell null for NULL
     */
    void write(DynamicMessage.Builder message, ImageCell cell) throws FaultException;
}
