package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.PlanningMode;
import dev.sluice.flink.format.RegistryWrittenMessage;
import dev.sluice.flink.format.WriterPlanningCheck;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.registry.RegistryConfig;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.util.Map;
import java.util.Objects;

/**
 * The writing side of {@code proto-confluent} in a planned table. A value: immutable, equal to
 * another one with the same settings.
 *
 * <p>A runtime encoder is made while the table is planned: there the columns are known, a schema is
 * derived from them if it comes to that, and they are compared with what is written.
 */
public final class ProtoConfluentEncodingFormat
        implements EncodingFormat<SerializationSchema<RowData>> {

    private final RegistryConfig registry;
    private final WriterChoiceOptions choice;
    private final Map<String, String> identity; // of the choice
    private final Map<String, String> comments;
    private final PlanningMode planning;
    private final Engine engine;
    private final boolean isIdInHeader;

    /**
     * @param identity all that the choice was made of, for equality
     * @param comments of columns by name
     * @param isIdInHeader whether a header of the record names the schema; part of the identity
     */
    ProtoConfluentEncodingFormat(
            RegistryConfig registry,
            WriterChoiceOptions choice,
            Map<String, String> identity,
            Map<String, String> comments,
            PlanningMode planning,
            Engine engine,
            boolean isIdInHeader) {
        this.registry = registry;
        this.choice = choice;
        this.identity = identity;
        this.comments = comments;
        this.planning = planning;
        this.engine = engine;
        this.isIdInHeader = isIdInHeader;
    }

    @Override
    public SerializationSchema<RowData> createRuntimeEncoder(
            DynamicTableSink.Context context, DataType physicalDataType) {
        RowType row = (RowType) physicalDataType.getLogicalType();
        try {
            RegistryWrittenMessage written =
                    new RegistryWrittenMessage(
                            registry, choice.choose(row, comments), isIdInHeader);
            byte[] plan =
                    WriterPlanningCheck.run(
                            written,
                            planning,
                            new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY));
            return new ProtobufSerializationSchema(plan, row, written, engine);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    String.format(
                            "Format '%s': %s",
                            ProtoConfluentFormatFactory.IDENTIFIER, e.getMessage()),
                    e);
        }
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    /** What the format was told, without secrets. */
    public String asSummaryString() {
        return String.format(
                "%s(engine=%s, registry=%s)",
                ProtoConfluentFormatFactory.IDENTIFIER, engine, registry);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtoConfluentEncodingFormat)) {
            return false;
        }
        ProtoConfluentEncodingFormat that = (ProtoConfluentEncodingFormat) other;
        return registry.equals(that.registry)
                && identity.equals(that.identity)
                && comments.equals(that.comments)
                && planning == that.planning
                && engine == that.engine;
    }

    @Override
    public int hashCode() {
        return Objects.hash(registry, identity, comments, planning, engine);
    }

    @Override
    public String toString() {
        return asSummaryString();
    }
}
