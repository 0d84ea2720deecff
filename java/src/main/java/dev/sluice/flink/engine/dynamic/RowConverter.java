package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

/** A message to the values of a ROW. */
final class RowConverter implements ValueConverter {
    private final String messageName;
    private final String[] names;
    private final ColumnReader[] columns;
    private final boolean[] notNull;

    /**
     * @param names of the columns
     * @param notNull columns that must not be NULL: never so in FLINK (decision 19)
     */
    RowConverter(String messageName, String[] names, ColumnReader[] columns, boolean[] notNull) {
        this.messageName = messageName;
        this.names = names;
        this.columns = columns;
        this.notNull = notNull;
    }

    @Override
    public Object[] convert(Object message) throws FaultException {
        Object[] row = new Object[columns.length];
        for (int at = 0; at < row.length; at++) {
            row[at] = column((Fields) message, at);
        }
        return row;
    }

    /** The value of one column. */
    Object column(Fields message, int at) throws FaultException {
        Object value = columns[at].read(message);
        if (value == null && notNull[at]) {
            throw nullInNotNull(at);
        }
        return value;
    }

    private FaultException nullInNotNull(int at) {
        String reason =
                String.format(
                        "column %s is NOT NULL and %s has no value for it", names[at], messageName);
        return new FaultException(FailureCode.NULL_IN_NOT_NULL, reason).inside(names[at]);
    }
}
