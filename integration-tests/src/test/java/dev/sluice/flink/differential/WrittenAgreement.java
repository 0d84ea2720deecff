package dev.sluice.flink.differential;

import dev.sluice.flink.RowNotWrittenException;
import dev.sluice.flink.engine.Engine;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.FlinkRuntimeException;

import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

/**
 * What Flink and we write for the same row: the same bytes, or nothing at all. Each row is written
 * as it is, and as a binary row.
 */
final class WrittenAgreement {
    private static final String REFUSED = "refused";

    private final RowType type;
    private final RowDataSerializer binary;
    private final SerializationSchema<RowData> flink;
    private final Map<Engine, SerializationSchema<RowData>> ours = new EnumMap<>(Engine.class);
    private int records;
    private int refusals;

    /** The same for a message of the common files. */
    WrittenAgreement(Messages subject, RowType type, String nullText) throws Exception {
        this(Messages.flink(), subject.className(), type, nullText);
    }

    /**
     * Opens Flink's format and ours, with both engines, for the same columns.
     *
     * @throws Exception if one of them does not start
     */
    WrittenAgreement(FlinkFormat oracle, String className, RowType type, String nullText)
            throws Exception {
        this.type = type;
        this.binary = new RowDataSerializer(type);
        this.flink = oracle.openWriter(type, className, nullText);
        for (Engine engine : List.of(Engine.NATIVE, Engine.JAVA)) {
            NativeFormat format = new NativeFormat(oracle.loader(), engine);
            ours.put(engine, format.openWriter(type, className, nullText));
        }
    }

    /** Fails where one differs, with what each wrote; gives what all wrote, in hex. */
    String check(GenericRowData row) {
        String expected = outcome(flink, row, FlinkRuntimeException.class);
        records += isRecord(expected) ? 1 : 0;
        refusals += isRecord(expected) ? 0 : 1;
        ours.forEach(
                (engine, schema) -> {
                    if (differs(schema, row)) {
                        throw difference(engine, schema, row);
                    }
                });
        return isRecord(expected) ? expected : REFUSED;
    }

    private boolean differs(SerializationSchema<RowData> schema, RowData row) {
        return differsAsItIs(schema, row) || differsAsItIs(schema, binary.toBinaryRow(row).copy());
    }

    private boolean differsAsItIs(SerializationSchema<RowData> schema, RowData row) {
        String expected = outcome(flink, row, FlinkRuntimeException.class);
        String actual = outcome(schema, row, RowNotWrittenException.class);
        return isRecord(expected) ? !actual.equals(expected) : isRecord(actual);
    }

    /** Columns that can be NULL without the difference going away are told as NULL. */
    private AssertionError difference(
            Engine engine, SerializationSchema<RowData> schema, GenericRowData row) {
        for (int column = 0; column < row.getArity(); column++) {
            Object value = row.getField(column);
            row.setField(column, null);
            if (!differs(schema, row)) {
                row.setField(column, value);
            }
        }
        RowData form = differsAsItIs(schema, row) ? row : binary.toBinaryRow(row).copy();
        return new AssertionError(
                String.format(
                        "%s %s%ncolumns %s%nFlink %s%n%s %s",
                        form.getClass().getSimpleName(),
                        RowText.of(form, type),
                        type.asSummaryString(),
                        outcome(flink, form, FlinkRuntimeException.class),
                        engine,
                        outcome(schema, form, RowNotWrittenException.class)));
    }

    private static boolean isRecord(String outcome) {
        return !outcome.startsWith(REFUSED);
    }

    private String outcome(
            SerializationSchema<RowData> schema, RowData row, Class<? extends Throwable> refusal) {
        try {
            return HexFormat.of().formatHex(schema.serialize(row));
        } catch (Throwable e) {
            if (!refusal.isInstance(e)) {
                throw new AssertionError("a crash on " + RowText.of(row, type), e);
            }
            Throwable cause = e;
            while (cause.getCause() != null) {
                cause = cause.getCause();
            }
            return REFUSED + ": " + cause;
        }
    }

    int records() {
        return records;
    }

    int refusals() {
        return refusals;
    }
}
