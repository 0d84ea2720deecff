package dev.sluice.flink;

import dev.sluice.flink.ProtoConfluentFormatOptions.UnframedRecords;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.RowSelection;
import dev.sluice.flink.format.WriterSchemaProvider;
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
 * The reading side of {@code proto-confluent} in a planned table. A value: immutable, equal to
 * another one with the same settings.
 */
public final class ProtoConfluentDecodingFormat
        implements ProjectableDecodingFormat<DeserializationSchema<RowData>> {

    private final WriterSchemaProvider schemas;
    private final UnframedRecords unframedRecords;
    private final Engine engine;
    private final boolean binaryRows;

    ProtoConfluentDecodingFormat(
            WriterSchemaProvider schemas,
            UnframedRecords unframedRecords,
            Engine engine,
            boolean binaryRows) {
        this.schemas = schemas;
        this.unframedRecords = unframedRecords;
        this.engine = engine;
        this.binaryRows = binaryRows;
    }

    @Override
    public DeserializationSchema<RowData> createRuntimeDecoder(
            DynamicTableSource.Context context, DataType physicalDataType, int[][] projections) {
        RowSelection selection =
                RowSelection.of((RowType) physicalDataType.getLogicalType(), projections);
        byte[] plan =
                new PlanBuilder(selection.decoded(), Profile.CONFLUENT, Framing.REGISTRY)
                        .unframedRecords(unframedRecords.planned())
                        .build();
        DataType produced = Projection.of(projections).project(physicalDataType);
        return new ProtobufDeserializationSchema(
                plan,
                schemas,
                engine,
                selection.opener(binaryRows),
                context.createTypeInformation(produced),
                false);
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
    public ProtoConfluentDecodingFormat copy() {
        return new ProtoConfluentDecodingFormat(schemas, unframedRecords, engine, binaryRows);
    }

    /** What the format was told, without secrets. */
    public String asSummaryString() {
        return String.format(
                "%s(engine=%s, rows=%s, unframed-records=%s, registry=%s)",
                ProtoConfluentFormatFactory.IDENTIFIER,
                engine,
                binaryRows ? "binary" : "generic",
                unframedRecords,
                schemas);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtoConfluentDecodingFormat)) {
            return false;
        }
        ProtoConfluentDecodingFormat that = (ProtoConfluentDecodingFormat) other;
        return binaryRows == that.binaryRows
                && engine == that.engine
                && unframedRecords == that.unframedRecords
                && schemas.equals(that.schemas);
    }

    @Override
    public int hashCode() {
        return Objects.hash(schemas, unframedRecords, engine, binaryRows);
    }

    @Override
    public String toString() {
        return asSummaryString();
    }
}
