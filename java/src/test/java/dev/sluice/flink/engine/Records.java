package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.row.PlainValues;
import dev.sluice.flink.row.RowOpener;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.io.IOException;
import java.util.HexFormat;

/** Records in hexadecimal digits, tables that read them, and what comes out. */
public final class Records {
    private Records() {}

    public static RowType row(String columns) {
        return (RowType)
                LogicalTypeParser.parse("ROW<" + columns + ">", Records.class.getClassLoader());
    }

    /** A table that reads records without frame as well. */
    public static PlanBuilder plan(RowType row) {
        return new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY)
                .unframedRecords(UnframedRecords.LATEST);
    }

    static RecordDecoder open(Engine engine, PlanBuilder plan, WriterSchemas schemas)
            throws RecordException {
        return engine.open(plan.build(), schemas);
    }

    public static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits.replace(" ", ""));
    }

    /** The same in rows of either class. */
    public static Object values(byte[] row, RowType type) {
        if (row == null) {
            return null;
        }
        Object values = PlainValues.ofRow(RowOpener.generic(type).open(row), type);
        assertThat(PlainValues.ofRow(RowOpener.binary(type).open(row), type)).isEqualTo(values);
        return values;
    }

    /** Code and schema of the refusal, {@code bad-frame schema id 7}. */
    static String refusal(RecordDecoder decoder, String record) {
        try {
            decoder.decode(hex(record));
            return "a row";
        } catch (RecordException e) {
            return e.code().label() + " " + e.schemaKey();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
