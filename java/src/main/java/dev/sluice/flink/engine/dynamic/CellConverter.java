package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.engine.rowimage.ImageCell;

/** Makes of a value of the table, never NULL, the value that a field of its message takes. */
@FunctionalInterface
interface CellConverter {
    Object value(ImageCell cell) throws FaultException;
}
