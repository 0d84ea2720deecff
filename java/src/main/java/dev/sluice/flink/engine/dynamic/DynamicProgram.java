package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.WireFormat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.schema.SchemaOrigin;

import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A plan bound to one message: columns to fields, and what turns the values of the one into those
 * of the other. Belongs to one thread.
 */
public final class DynamicProgram {
    private static final String NO_MESSAGE = "the record is no message of its schema";

    private final Descriptor root;
    private final Level level;
    private final RowConverter row;
    private final List<String> missingColumns;
    private final int depthMax;
    private final boolean isFlink;
    private final RequiredFields required; // null where nothing is

    private DynamicProgram(
            Descriptor root, Level level, RowConverter row, RowCompiler rows, int depthMax) {
        this.root = root;
        this.level = level;
        this.row = row;
        this.missingColumns = Collections.unmodifiableList(rows.missingColumns());
        this.depthMax = depthMax;
        this.isFlink = rows.isFlink();
        this.required =
                RequiredFields.reachableFrom(root) ? new RequiredFields(!rows.isFlink()) : null;
    }

    /**
     * Binds the plan's columns to the fields of a message.
     *
     * @param root the message that records hold
     * @throws RecordException {@code TYPE_MISMATCH} or {@code AMBIGUOUS_COLUMN} with the path of
     *     the column, {@code UNSUPPORTED_PLAN} or {@code MALFORMED_PLAN}
     */
    public static DynamicProgram compile(Plan plan, Descriptor root) throws RecordException {
        return compile(plan, root, SchemaOrigin.NONE);
    }

    /**
     * Binds the plan's columns to the fields of a message.
     *
     * @param origin of the message's schema, for metadata columns
     */
    public static DynamicProgram compile(Plan plan, Descriptor root, SchemaOrigin origin)
            throws RecordException {
        KnownPlan known = KnownPlan.of(plan);
        RowCompiler rows = new RowCompiler(plan, root);
        Level level = new Level(root, rows.isFlink() ? new Revival() : null);
        RowConverter fields = rows.row(MetadataColumns.physical(plan), root, Context.TABLE, level);
        level.close();
        RowConverter row = MetadataColumns.add(fields, plan, root, origin);
        return new DynamicProgram(root, level, row, rows, known.depthMax());
    }

    /** Columns whose fields the message lacks, by path from the root; they are NULL. */
    public List<String> missingColumns() {
        return missingColumns;
    }

    /** Full name of the message that records are read as. */
    public String messageName() {
        return root.getFullName();
    }

    /**
     * The values of the row of one record, in the classes that {@link
     * dev.sluice.flink.engine.rowimage.RowImage} lists.
     *
     * @param messageAt where the message begins in the record
     * @throws RecordException if protobuf-java refuses the record, or a value does not fit its
     *     column; without the schema's key
     */
    public Object[] row(byte[] record, int messageAt) throws RecordException {
        try {
            Fields message = level.isSplit() ? split(record, messageAt) : whole(record, messageAt);
            return row.convert(message);
        } catch (FaultException fault) {
            throw refusal(fault, record, messageAt);
        } catch (InvalidProtocolBufferException refused) {
            throw refusal(refused, record, messageAt);
        } catch (IOException e) {
            throw new AssertionError("an array was read", e);
        }
    }

    /**
     * Whether a record without frame is empty, or some field of the message occurs in it in a wire
     * form that counts as the field. Where it cannot be read, {@link #row} will say so.
     */
    public boolean holdsAnyField(byte[] record) {
        CodedInputStream in = CodedInputStream.newInstance(record);
        in.setRecursionLimit(depthMax);
        try {
            while (!in.isAtEnd()) {
                int tag = in.readTag();
                if (isField(tag)) {
                    return true;
                }
                if (!in.skipField(tag)) {
                    return true;
                }
            }
        } catch (IOException e) {
            return true;
        }
        return record.length == 0;
    }

    private boolean isField(int tag) {
        FieldDescriptor field = root.findFieldByNumber(WireFormat.getTagFieldNumber(tag));
        if (field == null) {
            return false;
        }
        int wireType = WireFormat.getTagWireType(tag);
        return wireType == field.getLiteType().getWireType()
                || field.isPackable() && wireType == WireFormat.WIRETYPE_LENGTH_DELIMITED;
    }

    private Fields whole(byte[] record, int messageAt) throws IOException, FaultException {
        CodedInputStream in =
                CodedInputStream.newInstance(record, messageAt, record.length - messageAt);
        in.setRecursionLimit(depthMax);
        DynamicMessage message = DynamicMessage.newBuilder(root).mergeFrom(in).buildPartial();
        in.checkLastTagWas(0);
        if (required != null && !isComplete(message)) {
            required.check(message);
        }
        return new WholeMessage(message);
    }

    /** protobuf-java decides, unless it is asked about values that generated classes forget. */
    private boolean isComplete(DynamicMessage message) {
        return !isFlink && message.isInitialized();
    }

    private Fields split(byte[] record, int messageAt) throws IOException, FaultException {
        SplitMessage message = new SplitMessage(level, depthMax);
        message.merge(record, messageAt, record.length);
        if (required != null) {
            required.check(message);
        }
        return message;
    }

    private RecordException refusal(FaultException fault, byte[] record, int messageAt) {
        String path = fault.fieldPath();
        if (fault.code() == FailureCode.MISSING_REQUIRED) {
            Optional<WireFault> found = FaultLocator.find(level, record, messageAt, depthMax);
            // The locator names an absent map value, and not the field that it would lack.
            if (found.isPresent() && (path + ".").startsWith(found.get().fieldPath() + ".")) {
                return refusal(found.get(), null);
            }
        }
        return new RecordException(
                fault.code(),
                fault.getMessage(),
                null,
                root.getFullName(),
                path,
                OptionalLong.empty(),
                null);
    }

    private RecordException refusal(WireFault fault, Throwable cause) {
        return new RecordException(
                fault.code(),
                fault.reason(),
                null,
                root.getFullName(),
                fault.fieldPath(),
                OptionalLong.of(fault.byteOffset()),
                cause);
    }

    /** protobuf-java says neither where nor, other than in words, why. */
    private RecordException refusal(
            InvalidProtocolBufferException refused, byte[] record, int messageAt) {
        WireFault fault =
                FaultLocator.find(level, record, messageAt, depthMax)
                        .orElseGet(
                                () ->
                                        new WireFault(
                                                FailureCode.TRUNCATED, NO_MESSAGE, "", messageAt));
        return refusal(fault, refused);
    }
}
