package dev.sluice.flink.differential;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.engine.RecordException;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.util.HexFormat;

/**
 * What Flink and we make of the same record: a row, no row, or a failure.
 *
 * <p>One difference is known (decision 0011): generated classes bring back what a message member of
 * a oneof held before another member replaced it, where protobuf-java's own dynamic messages, and
 * we, begin anew. Where Flink's row is another one than ours, Flink is asked again with the record
 * as dynamic messages read and write it.
 */
final class Agreement {
    private static final String REFUSED = "refused";
    private static final String NO_ROW = "no row";

    private final Descriptor message;
    private final RowType type;
    private final DeserializationSchema<RowData> flink;
    private final DeserializationSchema<RowData> ours;
    private int rows;
    private int refusals;
    private int revived;

    Agreement(
            Descriptor message,
            RowType type,
            DeserializationSchema<RowData> flink,
            DeserializationSchema<RowData> ours) {
        this.message = message;
        this.type = type;
        this.flink = flink;
        this.ours = ours;
    }

    /**
     * Fails where the two differ, with both outcomes for the shortest record that still shows it.
     */
    void check(byte[] record) {
        if (!isEqual(record)) {
            byte[] shortest = shrink(record);
            throw new AssertionError(
                    String.format(
                            "record %s%ncolumns %s%nFlink %s%nours  %s",
                            HexFormat.of().formatHex(shortest),
                            type.asSummaryString(),
                            outcome(flink, shortest, Throwable.class),
                            outcome(ours, shortest, RecordException.class)));
        }
    }

    private boolean isEqual(byte[] record) {
        String expected = outcome(flink, record, Throwable.class);
        String actual = outcome(ours, record, RecordException.class);
        if (!isRow(expected)) {
            refusals++;
            return kind(actual).equals(kind(expected));
        }
        rows++;
        if (actual.equals(expected)) {
            return true;
        }
        revived++;
        return isRow(actual) && actual.equals(outcome(flink, rewritten(record), Throwable.class));
    }

    private byte[] rewritten(byte[] record) {
        try {
            return DynamicMessage.parseFrom(message, record).toByteArray();
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError("a row of " + HexFormat.of().formatHex(record), e);
        }
    }

    private static boolean isRow(String outcome) {
        return !outcome.startsWith(REFUSED) && !outcome.equals(NO_ROW);
    }

    private static String kind(String outcome) {
        return outcome.startsWith(REFUSED) ? REFUSED : outcome;
    }

    /** Leaves out parts, long ones first, as long as the outcomes differ. */
    private byte[] shrink(byte[] record) {
        byte[] shortest = record;
        for (int part = record.length / 2; part > 0; ) {
            boolean shorter = false;
            for (int at = 0; at + part <= shortest.length; at++) {
                byte[] rest = new byte[shortest.length - part];
                System.arraycopy(shortest, 0, rest, 0, at);
                System.arraycopy(shortest, at + part, rest, at, rest.length - at);
                if (!isEqual(rest)) {
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

    /** Rows of Flink that hold what a oneof had replaced. */
    int revived() {
        return revived;
    }

    int refusals() {
        return refusals;
    }
}
