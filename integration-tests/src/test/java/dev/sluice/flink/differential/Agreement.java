package dev.sluice.flink.differential;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordException;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/** What Flink and we make of the same record: a row, no row, or a failure. */
final class Agreement {
    private static final String REFUSED = "refused";
    private static final String NO_ROW = "no row";

    private final RowType type;
    private final DeserializationSchema<RowData> flink;
    private final Map<Engine, DeserializationSchema<RowData>> ours = new EnumMap<>(Engine.class);
    private int rows;
    private int refusals;

    /** The same of a message of the common files. */
    Agreement(Messages subject, RowType type, boolean readDefaults, boolean ignoreParseErrors)
            throws Exception {
        this(Messages.flink(), subject.className(), type, readDefaults, ignoreParseErrors);
    }

    /**
     * Opens Flink's format and ours, with both engines, for the same columns.
     *
     * @throws Exception if one of them does not start
     */
    Agreement(
            FlinkFormat oracle,
            String className,
            RowType type,
            boolean readDefaults,
            boolean ignoreParseErrors)
            throws Exception {
        this.type = type;
        this.flink = oracle.open(type, className, readDefaults, ignoreParseErrors);
        for (Engine engine : List.of(Engine.NATIVE, Engine.JAVA)) {
            NativeFormat format = new NativeFormat(oracle.loader(), engine);
            ours.put(engine, format.open(type, className, readDefaults, ignoreParseErrors));
        }
    }

    /** Fails where one differs, with the outcomes for the shortest record that still shows it. */
    void check(byte[] record) {
        String expected = outcome(flink, record, Throwable.class);
        rows += isRow(expected) ? 1 : 0;
        refusals += isRow(expected) ? 0 : 1;
        ours.forEach(
                (engine, schema) -> {
                    if (!isEqual(expected, schema, record)) {
                        throw difference(engine, schema, record);
                    }
                });
    }

    private boolean isEqual(String expected, DeserializationSchema<RowData> schema, byte[] record) {
        String actual = outcome(schema, record, RecordException.class);
        return isRow(expected) ? actual.equals(expected) : kind(actual).equals(kind(expected));
    }

    private AssertionError difference(
            Engine engine, DeserializationSchema<RowData> schema, byte[] record) {
        byte[] shortest = shrink(schema, record);
        return new AssertionError(
                String.format(
                        "record %s%ncolumns %s%nFlink %s%n%s %s",
                        HexFormat.of().formatHex(shortest),
                        type.asSummaryString(),
                        outcome(flink, shortest, Throwable.class),
                        engine,
                        outcome(schema, shortest, RecordException.class)));
    }

    private static boolean isRow(String outcome) {
        return !outcome.startsWith(REFUSED) && !outcome.equals(NO_ROW);
    }

    private static String kind(String outcome) {
        return outcome.startsWith(REFUSED) ? REFUSED : outcome;
    }

    /** Leaves out parts, long ones first, as long as the outcomes differ. */
    private byte[] shrink(DeserializationSchema<RowData> schema, byte[] record) {
        byte[] shortest = record;
        for (int part = record.length / 2; part > 0; ) {
            boolean shorter = false;
            for (int at = 0; at + part <= shortest.length; at++) {
                byte[] rest = new byte[shortest.length - part];
                System.arraycopy(shortest, 0, rest, 0, at);
                System.arraycopy(shortest, at + part, rest, at, rest.length - at);
                if (!isEqual(outcome(flink, rest, Throwable.class), schema, rest)) {
                    shortest = rest;
                    shorter = true;
                    break;
                }
            }
            part = shorter ? Math.min(part, shortest.length) : part - 1;
        }
        return shortest;
    }

    private String outcome(
            DeserializationSchema<RowData> schema,
            byte[] record,
            Class<? extends Throwable> refusal) {
        try {
            RowData row = schema.deserialize(record);
            return row == null ? NO_ROW : RowText.of(row, type);
        } catch (Throwable e) {
            if (!refusal.isInstance(e)) {
                throw new AssertionError("a crash on " + HexFormat.of().formatHex(record), e);
            }
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return REFUSED + ": " + cause;
        }
    }

    int rows() {
        return rows;
    }

    int refusals() {
        return refusals;
    }
}
