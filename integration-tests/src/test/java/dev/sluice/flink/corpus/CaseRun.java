package dev.sluice.flink.corpus;

import dev.sluice.flink.ProtobufDeserializationSchema;
import dev.sluice.flink.ProtobufSerializationSchema;
import dev.sluice.flink.RowNotWrittenException;
import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.FrameHeader;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.JavaEscapes;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.WrittenMessage;
import dev.sluice.flink.it.Frames;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.row.RowOpener;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.UserCodeClassLoader;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.Set;

/**
 * Runs a case below the factories: plan and schema object are built here, profile and framing
 * independent of each other, and each decoded row is looked at in both forms.
 */
public final class CaseRun {
    /** The schemas of the corpus are good, and what is not built refuses good records as well. */
    private static final Set<FailureCode> NO_ANSWER =
            EnumSet.of(
                    FailureCode.BAD_SCHEMA,
                    FailureCode.UNSUPPORTED_COLUMN,
                    FailureCode.UNSUPPORTED_PLAN,
                    FailureCode.MALFORMED_PLAN,
                    FailureCode.PANIC);

    private final Engine engine;

    public CaseRun(Engine engine) {
        this.engine = engine;
    }

    public Outcome run(Case one) {
        String expected = expectation(one);
        try {
            if (!one.isDecode()) {
                return Outcome.compared(expected, encode(one));
            }
            Outcome generic = Outcome.compared(expected, decode(one, false));
            return generic.isPassed() ? Outcome.compared(expected, decode(one, true)) : generic;
        } catch (RowNotWrittenException e) {
            return refused(one, expected, e.code(), e);
        } catch (RecordException e) {
            return refused(one, expected, e.code(), e);
        } catch (ValidationException e) {
            return refused(one, expected, FailureCode.TYPE_MISMATCH, e);
        } catch (SchemaException e) {
            return refused(one, expected, FailureCode.BAD_SCHEMA, e);
        } catch (UnsupportedOperationException e) {
            return Outcome.failed(expected, e.getMessage());
        } catch (Exception e) {
            return Outcome.failed(expected, "a crash: " + e);
        }
    }

    private static String expectation(Case one) {
        if (one.expectsError()) {
            return "error " + one.error();
        }
        if (!one.isDecode()) {
            return one.hasRecord() ? hex(one.record()) : hex(one.wire());
        }
        return one.expectedRow() == null
                ? "no row"
                : ValueText.expected(one.expectedRow(), one.row());
    }

    private static Outcome refused(Case one, String expected, FailureCode code, Exception e) {
        if (!one.expectsError() || NO_ANSWER.contains(code)) {
            return Outcome.failed(expected, "error " + e.getMessage());
        }
        return Outcome.passed(expected, "error " + code.label());
    }

    private String decode(Case one, boolean binary) throws Exception {
        RowType type = one.row();
        ProtobufDeserializationSchema schema =
                new ProtobufDeserializationSchema(
                        plan(one),
                        new CaseSchemas(one.schemaId(), one.mainText(), one.imports()),
                        engine,
                        binary ? RowOpener.binary(type) : RowOpener.generic(type),
                        InternalTypeInfo.of(type),
                        Boolean.parseBoolean(one.options().get("ignore-parse-errors"))
                                ? ErrorPolicy.skip(null)
                                : ErrorPolicy.fail(),
                        0);
        schema.open(new NoTask());
        RowData row = schema.deserialize(record(one));
        if (row == null) {
            return "no row";
        }
        String text = ValueText.actual(row, type);
        if (binary && !isCanonical((BinaryRowData) row, type)) {
            return "another layout than Flink's of " + text;
        }
        return text;
    }

    private String encode(Case one) throws Exception {
        RowType type = one.row();
        WriterMessage message =
                WriterMessage.of(
                        WriterSchema.of(one.mainText(), one.imports()),
                        one.message(),
                        SchemaOrigin.NONE);
        byte[] header =
                one.hasRecord()
                        ? FrameHeader.of(one.schemaId(), one.messageIndexes())
                        : new byte[0];
        PlanBuilder plan = new PlanBuilder(type, profile(one), Framing.BARE);
        String nullText = one.options().get("write-null-string-literal");
        if (nullText != null) {
            plan.nullText(JavaEscapes.resolve(nullText));
        }
        ProtobufSerializationSchema schema =
                new ProtobufSerializationSchema(
                        plan.buildToWrite(message),
                        type,
                        () -> new WrittenMessage(message, header),
                        engine);
        schema.open(new NoSink());
        return hex(
                schema.serialize(
                        one.expectedRow() == null ? null : CaseRows.row(one.expectedRow(), type)));
    }

    private static String hex(byte[] bytes) {
        return bytes == null ? "no record" : HexFormat.of().formatHex(bytes);
    }

    private static Profile profile(Case one) {
        return one.isFlinkProfile() ? Profile.FLINK : Profile.CONFLUENT;
    }

    /** The plan that a table with the case's columns and options would have. */
    static byte[] plan(Case one) throws SchemaException {
        Framing framing = isBare(one) ? Framing.BARE : Framing.REGISTRY;
        WriterSchema schema = WriterSchema.of(one.mainText(), one.imports());
        PlanBuilder plan = new PlanBuilder(one.row(), profile(one), framing);
        if (one.isFlinkProfile()) {
            boolean all = Boolean.parseBoolean(one.options().get("read-default-values"));
            plan.readDefaults(all, schema.isProto3(one.message()));
        }
        if (isBare(one)) {
            plan.message(schema.message(one.message()), schema.descriptors(one.message()));
        }
        return plan.build();
    }

    private static boolean isBare(Case one) {
        return one.isFlinkProfile() && !one.hasRecord();
    }

    private static byte[] record(Case one) {
        if (one.hasRecord()) {
            return one.record();
        }
        return isBare(one)
                ? one.wire()
                : Frames.framed(one.schemaId(), one.messageIndexes(), one.wire());
    }

    private static boolean isCanonical(BinaryRowData row, RowType type) {
        return Arrays.equals(bytes(row), bytes(Generic.canonical(row, type)));
    }

    private static byte[] bytes(BinaryRowData row) {
        byte[] bytes = new byte[row.getSizeInBytes()];
        row.getSegments()[0].get(row.getOffset(), bytes);
        return bytes;
    }

    /** Where a schema is opened outside a job: no metrics, no class loader of a user. */
    private static final class NoTask implements DeserializationSchema.InitializationContext {
        @Override
        public MetricGroup getMetricGroup() {
            return null;
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return null;
        }
    }

    /** The same for writing. */
    private static final class NoSink implements SerializationSchema.InitializationContext {
        @Override
        public MetricGroup getMetricGroup() {
            return null;
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return null;
        }
    }
}
