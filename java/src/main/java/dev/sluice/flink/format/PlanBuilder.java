package dev.sluice.flink.format;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.dynamic.DynamicProgram;
import dev.sluice.flink.engine.dynamic.DynamicRecordEncoder;
import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Limits;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ReaderOptions;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.plan.WriterOptions;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.RowType;

import java.io.IOException;
import java.util.List;

/**
 * Builds the portable plan: what to read or write, and by which rules, without a registry address,
 * a secret or a class name.
 *
 * <p>Equal settings give equal bytes, so schemas that hold a plan compare by value. A plan is built
 * on the client; a column type that no Protobuf field can hold is refused there, see {@link
 * SqlTypes}.
 */
public final class PlanBuilder {

    /** The plan version that this class writes. */
    public static final int VERSION = 1;

    /** Levels of messages and groups inside the root, as in protobuf-java. */
    public static final int DEPTH_MAX = 100;

    /** Longest record and longest row: what a Java array can hold, less room for slack. */
    public static final int BYTES_MAX = Integer.MAX_VALUE - 1024;

    /** SQL types nest deeper in a plan than protobuf-java reads by default. */
    private static final int ROW_DEPTH_MAX = 1000;

    private final RowType row; // null if `inferred` is given
    private final SqlType inferred; // null if `row` is given
    private final Profile profile;
    private final Framing framing;
    private final ReaderOptions.Builder reader = ReaderOptions.newBuilder();
    private MessageSelection message = MessageSelection.newBuilder().setWriterSchema(true).build();
    private List<String> metadata = List.of();
    private WriterDescriptors descriptors; // null unless one message is given
    private WriterOptions writer; // null in plans for reading

    /**
     * @param row columns to read; top-level names are field names of the message
     * @param profile value rules, independent of the framing
     */
    public PlanBuilder(RowType row, Profile profile, Framing framing) {
        this(row, null, profile, framing);
    }

    private PlanBuilder(RowType row, SqlType inferred, Profile profile, Framing framing) {
        this.row = row;
        this.inferred = inferred;
        this.profile = profile;
        this.framing = framing;
        reader.setUnframedRecords(UnframedRecords.FAIL);
    }

    /**
     * A plan for a row type that was inferred from a schema.
     *
     * @param row a serialized {@code SqlType}
     */
    public static PlanBuilder ofRow(byte[] row, Profile profile, Framing framing)
            throws IOException {
        CodedInputStream bytes = CodedInputStream.newInstance(row);
        bytes.setRecursionLimit(ROW_DEPTH_MAX);
        return new PlanBuilder(null, SqlType.parseFrom(bytes), profile, framing);
    }

    /** What a record without frame is; {@code FAIL} if never called. */
    public PlanBuilder unframedRecords(UnframedRecords unframedRecords) {
        reader.setUnframedRecords(unframedRecords);
        return this;
    }

    /** FLINK profile: absent fields of every kind, or only simple ones, read as their defaults. */
    public PlanBuilder readDefaults(boolean all, boolean simple) {
        reader.setReadDefaults(all).setReadSimpleDefaults(all || simple);
        return this;
    }

    /** Reads only records of the message with this full name. */
    public PlanBuilder messageName(String fullName) {
        message = MessageSelection.newBuilder().setName(fullName).build();
        return this;
    }

    /** The last columns of the row are these of the format's own metadata. */
    public PlanBuilder metadata(List<String> keys) {
        metadata = List.copyOf(keys);
        return this;
    }

    /**
     * Reads every record as this message; for bare framing.
     *
     * @param origin the descriptors that {@code schema} was resolved from
     */
    public PlanBuilder message(ResolvedSchema schema, WriterDescriptors origin) {
        message = MessageSelection.newBuilder().setSchema(schema).build();
        descriptors = origin;
        return this;
    }

    /** FLINK profile, writing: the text in place of a NULL in a collection. */
    public PlanBuilder nullText(String text) {
        writer = WriterOptions.newBuilder().setNullText(text).build();
        return this;
    }

    /**
     * The serialized plan, if its columns can be written as this message.
     *
     * @throws ValidationException naming the column without a field, the pair that cannot be
     *     written, or the required field without a column
     */
    public byte[] buildToWrite(WriterMessage message) {
        byte[] plan = build();
        try {
            new DynamicRecordEncoder(plan, message, new byte[0]).close();
        } catch (RecordException e) {
            throw new ValidationException(
                    String.format("The columns cannot be written: %s", e.getMessage()), e);
        }
        return plan;
    }

    /**
     * The serialized plan.
     *
     * @throws ValidationException naming column and type that cannot be read
     */
    public byte[] build() {
        return plan().toByteArray();
    }

    /**
     * The serialized plan, if every column can hold what the message has under its name.
     *
     * @param message the message of all records
     * @throws ValidationException naming column, SQL type, field and Protobuf type of a pair that
     *     cannot be read
     */
    public byte[] buildFor(Descriptor message) {
        Plan plan = plan();
        try {
            DynamicProgram.compile(plan, message);
        } catch (RecordException e) {
            throw new ValidationException(
                    String.format("The columns do not fit the message: %s", e.getMessage()), e);
        }
        return plan.toByteArray();
    }

    Plan plan() {
        Plan.Builder plan = Plan.newBuilder();
        if (descriptors != null) {
            plan.setDescriptors(descriptors);
        }
        if (writer != null) {
            plan.setWriter(writer);
        }
        return plan.setVersion(VERSION)
                .setBody(Body.PROTOBUF)
                .setProfile(profile)
                .setFraming(framing)
                .setRow(inferred != null ? inferred : SqlTypes.ofRow(row))
                .setReader(reader)
                .setMessage(message)
                .addAllMetadata(metadata)
                .setLimits(
                        Limits.newBuilder()
                                .setDepthMax(DEPTH_MAX)
                                .setRecordBytesMax(BYTES_MAX)
                                .setBatchBytesMax(BYTES_MAX))
                .build();
    }
}
