package dev.sluice.flink.engine.dynamic;

/** The value of one column, from the message that its row stands for. */
interface ColumnReader {
    /** A column whose field the writer schema lacks (decision 10). */
    ColumnReader MISSING =
            new ColumnReader() {
                @Override
                public Object read(Fields message) {
                    return null;
                }

                @Override
                public boolean isAbsent(Fields message) {
                    return true;
                }
            };

    /**
     * @return null for NULL
     * @throws FaultException with the path from the field on
     */
    Object read(Fields message) throws FaultException;

    /** Whether the column is NULL for want of its field, whatever its values are. */
    default boolean isAbsent(Fields message) {
        return false;
    }
}
