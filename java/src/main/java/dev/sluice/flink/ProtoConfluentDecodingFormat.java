package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.PlanningMode;
import dev.sluice.flink.format.ReadableMetadata;
import dev.sluice.flink.format.RegistrySchemaProvider;
import dev.sluice.flink.format.RowSelection;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.UnframedRecords;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.connector.format.ProjectableDecodingFormat;
import org.apache.flink.table.connector.source.DynamicTableSource;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.utils.DataTypeUtils;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * The reading side of {@code proto-confluent} in a planned table. A value, equal to another one
 * with the same settings; only the metadata that Flink applies changes it.
 *
 * <p>A runtime decoder is made while the table is planned: there the columns are known, and are
 * compared with the class and the schema that the table names.
 */
public final class ProtoConfluentDecodingFormat
        implements ProjectableDecodingFormat<DeserializationSchema<RowData>> {

    private final RegistrySchemaProvider schemas;
    private final UnframedRecords unframedRecords;
    private final String messageName; // null: every message
    private final MessageClass messageClass; // null: none to compare with
    private final PlanningMode planning;
    private final ErrorPolicy errors;
    private final Engine engine;
    private final boolean binaryRows;
    private final long pollBytesMax;
    private List<String> metadata = List.of();

    ProtoConfluentDecodingFormat(
            RegistrySchemaProvider schemas,
            UnframedRecords unframedRecords,
            String messageName,
            MessageClass messageClass,
            PlanningMode planning,
            ErrorPolicy errors,
            Engine engine,
            boolean binaryRows,
            long pollBytesMax) {
        this.schemas = schemas;
        this.unframedRecords = unframedRecords;
        this.messageName = messageName;
        this.messageClass = messageClass;
        this.planning = planning;
        this.errors = errors;
        this.engine = engine;
        this.binaryRows = binaryRows;
        this.pollBytesMax = pollBytesMax;
    }

    @Override
    public DeserializationSchema<RowData> createRuntimeDecoder(
            DynamicTableSource.Context context, DataType physicalDataType, int[][] projections) {
        RowType physical = (RowType) physicalDataType.getLogicalType();
        PlanBuilder columns = plan(RowSelection.of(physical, projections));
        if (messageClass != null) {
            columns.buildFor(messageClass.descriptor());
        }
        RegistrySchemaProvider compared = schemas.compared(columns, planning);
        RowSelection selection = RowSelection.of(physical, projections, metadata);
        DataType produced = Projection.of(projections).project(physicalDataType);
        return new ProtobufDeserializationSchema(
                plan(selection).metadata(metadata).build(),
                compared,
                engine,
                selection.opener(binaryRows),
                context.createTypeInformation(withMetadata(produced)),
                errors,
                pollBytesMax);
    }

    private PlanBuilder plan(RowSelection selection) {
        PlanBuilder plan =
                new PlanBuilder(selection.decoded(), Profile.CONFLUENT, Framing.REGISTRY)
                        .unframedRecords(unframedRecords);
        return messageName == null ? plan : plan.messageName(messageName);
    }

    private DataType withMetadata(DataType produced) {
        Map<String, DataType> types = ReadableMetadata.all();
        return DataTypeUtils.appendRowFields(
                produced,
                metadata.stream()
                        .map(key -> DataTypes.FIELD(key, types.get(key)))
                        .collect(Collectors.toList()));
    }

    @Override
    public boolean supportsNestedProjection() {
        return true;
    }

    @Override
    public Map<String, DataType> listReadableMetadata() {
        return ReadableMetadata.all();
    }

    @Override
    public void applyReadableMetadata(List<String> metadataKeys) {
        metadata = List.copyOf(metadataKeys);
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    /** An equal format; Flink copies table sources while it plans. */
    public ProtoConfluentDecodingFormat copy() {
        ProtoConfluentDecodingFormat copy =
                new ProtoConfluentDecodingFormat(
                        schemas,
                        unframedRecords,
                        messageName,
                        messageClass,
                        planning,
                        errors,
                        engine,
                        binaryRows,
                        pollBytesMax);
        copy.metadata = metadata;
        return copy;
    }

    /** What the format was told, without secrets. */
    public String asSummaryString() {
        return String.format(
                "%s(engine=%s, rows=%s, unframed-records=%s%s, errors=%s, registry=%s)",
                ProtoConfluentFormatFactory.IDENTIFIER,
                engine,
                binaryRows ? "binary" : "generic",
                unframedRecords.name().toLowerCase(Locale.ROOT),
                messageName == null ? "" : ", message-name=" + messageName,
                errors,
                schemas);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtoConfluentDecodingFormat)) {
            return false;
        }
        ProtoConfluentDecodingFormat that = (ProtoConfluentDecodingFormat) other;
        return binaryRows == that.binaryRows
                && pollBytesMax == that.pollBytesMax
                && engine == that.engine
                && planning == that.planning
                && unframedRecords == that.unframedRecords
                && Objects.equals(messageName, that.messageName)
                && Objects.equals(messageClass, that.messageClass)
                && errors.equals(that.errors)
                && metadata.equals(that.metadata)
                && schemas.equals(that.schemas);
    }

    @Override
    public int hashCode() {
        return Objects.hash(
                schemas, unframedRecords, messageName, planning, errors, engine, binaryRows);
    }

    @Override
    public String toString() {
        return asSummaryString();
    }
}
