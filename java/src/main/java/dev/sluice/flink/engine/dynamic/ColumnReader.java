package dev.sluice.flink.engine.dynamic;

/** The value of one column, from the message that its row stands for. */
@FunctionalInterface
interface ColumnReader {
    /** A column whose field the writer schema lacks (decision 10). */
    ColumnReader MISSING = message -> null;

    /**
     * @return null for NULL
     * @throws FaultException with the path from the field on
     */
    Object read(Fields message) throws FaultException;
}
