package dev.sluice.flink.engine.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.row.PlainValues;
import dev.sluice.flink.row.RowOpener;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** One schema and one table, read by both engines, which must say the same. */
final class BothEngines {
    private static final byte[] FRAME = {0, 0, 0, 0, 7, 0};

    private final WriterSchemas schemas;
    private final RowType row;
    private final byte[] plan;

    private BothEngines(Profile profile, boolean defaults, String columns, String schema) {
        row =
                (RowType)
                        LogicalTypeParser.parse(
                                "ROW<" + columns + ">", BothEngines.class.getClassLoader());
        plan = plan(profile, defaults, schema);
        schemas = (key, indexes) -> message(schema);
    }

    private byte[] plan(Profile profile, boolean defaults, String schema) {
        PlanBuilder builder = new PlanBuilder(row, profile, Framing.REGISTRY);
        return builder.readDefaults(defaults, schema.startsWith("syntax = 'proto3'")).build();
    }

    static BothEngines confluent(String columns, String schema) {
        return new BothEngines(Profile.CONFLUENT, false, columns, schema);
    }

    static BothEngines flink(String columns, String schema) {
        return new BothEngines(Profile.FLINK, false, columns, schema);
    }

    private static WriterMessage message(String schema) {
        try {
            return WriterMessage.of(
                    WriterSchema.of(schema, Map.of()), new int[] {0}, SchemaOrigin.NONE);
        } catch (SchemaException e) {
            throw new AssertionError(schema, e);
        }
    }

    /** The row as text, or the code of the refusal and where the Java engine finds it. */
    String read(String hex) {
        byte[] message = HexFormat.of().parseHex(hex.replace(" ", ""));
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.writeBytes(FRAME);
        record.writeBytes(message);
        String java = read(Engine.JAVA, record.toByteArray());
        String told = read(Engine.NATIVE, record.toByteArray());
        // Paths may differ: native code leaves the name "value" out of one, for replaced map
        // values.
        assertThat(java.split(" ")[0]).as("native says").isEqualTo(told.split(" ")[0]);
        return java.startsWith("0x") ? text(HexFormat.of().parseHex(java.substring(2))) : java;
    }

    private String read(Engine engine, byte[] record) {
        try (RecordDecoder decoder = engine.open(plan, schemas)) {
            return "0x" + HexFormat.of().formatHex(decoder.decode(record));
        } catch (RecordException e) {
            return e.fieldPath().isEmpty()
                    ? e.code().label()
                    : e.code().label() + " " + e.fieldPath();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private String text(byte[] bytes) {
        return plain(PlainValues.ofRow(RowOpener.generic(row).open(bytes), row));
    }

    private static String plain(Object value) {
        if (value instanceof List) {
            return ((List<?>) value)
                    .stream().map(BothEngines::plain).collect(Collectors.joining(", ", "[", "]"));
        }
        if (value instanceof ByteBuffer) {
            return "x" + HexFormat.of().formatHex(((ByteBuffer) value).array());
        }
        return String.valueOf(value);
    }
}
