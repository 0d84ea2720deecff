package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

import java.util.Arrays;

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

    /** The same row with columns behind it that have one value in all rows. */
    RowConverter with(String[] moreNames, Object[] values, boolean[] moreNotNull) {
        int size = columns.length + values.length;
        String[] allNames = Arrays.copyOf(names, size);
        ColumnReader[] allColumns = Arrays.copyOf(columns, size);
        boolean[] allNotNull = Arrays.copyOf(notNull, size);
        for (int at = 0; at < values.length; at++) {
            Object value = values[at];
            allNames[columns.length + at] = moreNames[at];
            allColumns[columns.length + at] = message -> value;
            allNotNull[columns.length + at] = moreNotNull[at];
        }
        return new RowConverter(messageName, allNames, allColumns, allNotNull);
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
