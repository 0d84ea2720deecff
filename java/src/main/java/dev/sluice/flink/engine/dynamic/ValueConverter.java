package dev.sluice.flink.engine.dynamic;

/**
 * One value of a field to one value of an SQL type, in the classes that {@link
 * dev.sluice.flink.engine.rowimage.RowImage} lists.
 */
@FunctionalInterface
interface ValueConverter {
    /**
     * @param value as {@link Fields} gives it
     * @return null for NULL
     * @throws FaultException if the SQL type has no such value
     */
    Object convert(Object value) throws FaultException;
}
