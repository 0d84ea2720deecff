package dev.sluice.flink.differential;

import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.provider.Arguments;

import java.util.Arrays;
import java.util.stream.Stream;

/** Rows by hand, each for a rule of writing and with the record that it is written as. */
final class WrittenRule {
    static final String REFUSED = "refused";

    private WrittenRule() {}

    static StringData text(String text) {
        return StringData.fromString(text);
    }

    static GenericArrayData array(Object... elements) {
        return new GenericArrayData(elements);
    }

    static RowPairs map(Object... keysAndValues) {
        Object[] keys = new Object[keysAndValues.length / 2];
        Object[] values = new Object[keys.length];
        for (int at = 0; at < keys.length; at++) {
            keys[at] = keysAndValues[2 * at];
            values[at] = keysAndValues[2 * at + 1];
        }
        return new RowPairs(Arrays.asList(keys), Arrays.asList(values));
    }

    static GenericRowData row(Object... values) {
        return GenericRowData.of(values);
    }

    static Arguments rule(
            String rule, Messages message, DataType columns, GenericRowData row, String record) {
        return Arguments.arguments(rule, message, columns, row, record);
    }

    /**
     * Those whose message the Flink of this run can compile; editions need a newer protobuf-java.
     */
    static Stream<Arguments> ofThisLine(Stream<Arguments> rules) {
        return rules.filter(rule -> Messages.ofThisLine().contains((Messages) rule.get()[1]));
    }

    /** What Flink and we write, in hex. */
    static String written(Messages message, DataType columns, GenericRowData row) throws Exception {
        RowType type = (RowType) columns.notNull().getLogicalType();
        return new WrittenAgreement(message, type, "null").check(row);
    }
}
