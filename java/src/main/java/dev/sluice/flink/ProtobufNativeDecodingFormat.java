package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.NoWriterSchemas;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.RowSelection;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.connector.format.ProjectableDecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.util.Objects;

/**
 * The reading side of {@code protobuf-native} in a planned table. A value: immutable, equal to
 * another one with the same settings and an equal message.
 */
public final class ProtobufNativeDecodingFormat
        implements ProjectableDecodingFormat<DeserializationSchema<RowData>> {

    private final MessageClass message;
    private final boolean readDefaults;
    private final boolean ignoreParseErrors;
    private final Engine engine;
    private final boolean binaryRows;
    private final long pollBytesMax;

    ProtobufNativeDecodingFormat(
            MessageClass message,
            boolean readDefaults,
            boolean ignoreParseErrors,
            Engine engine,
            boolean binaryRows,
            long pollBytesMax) {
        this.message = message;
        this.readDefaults = readDefaults;
        this.ignoreParseErrors = ignoreParseErrors;
        this.engine = engine;
        this.binaryRows = binaryRows;
        this.pollBytesMax = pollBytesMax;
    }

    @Override
    public DeserializationSchema<RowData> createRuntimeDecoder(
            DynamicTableSource.Context context, DataType physicalDataType, int[][] projections) {
        RowSelection selection =
                RowSelection.of((RowType) physicalDataType.getLogicalType(), projections);
        byte[] plan =
                new PlanBuilder(selection.decoded(), Profile.FLINK, Framing.BARE)
                        .message(message.resolved(), message.descriptors())
                        .readDefaults(readDefaults, message.isProto3())
                        .buildFor(message.descriptor());
        DataType produced = Projection.of(projections).project(physicalDataType);
        return new ProtobufDeserializationSchema(
                plan,
                NoWriterSchemas.INSTANCE,
                engine,
                selection.opener(binaryRows),
                context.createTypeInformation(produced),
                ignoreParseErrors ? ErrorPolicy.skip(null) : ErrorPolicy.fail(),
                pollBytesMax);
    }

    @Override
    public boolean supportsNestedProjection() {
        return true;
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    /** An equal format; Flink copies table sources while it plans. */
    public ProtobufNativeDecodingFormat copy() {
        return new ProtobufNativeDecodingFormat(
                message, readDefaults, ignoreParseErrors, engine, binaryRows, pollBytesMax);
    }

    /** What the format was told. */
    public String asSummaryString() {
        return String.format(
                "%s(%s, engine=%s, rows=%s, read-default-values=%s, ignore-parse-errors=%s)",
                ProtobufNativeFormatFactory.IDENTIFIER,
                message,
                engine,
                binaryRows ? "binary" : "generic",
                readDefaults,
                ignoreParseErrors);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtobufNativeDecodingFormat)) {
            return false;
        }
        ProtobufNativeDecodingFormat that = (ProtobufNativeDecodingFormat) other;
        return readDefaults == that.readDefaults
                && ignoreParseErrors == that.ignoreParseErrors
                && engine == that.engine
                && binaryRows == that.binaryRows
                && pollBytesMax == that.pollBytesMax
                && message.equals(that.message);
    }

    @Override
    public int hashCode() {
        return Objects.hash(message, readDefaults, ignoreParseErrors, engine, binaryRows);
    }

    @Override
    public String toString() {
        return asSummaryString();
    }
}
