package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.plan.Failure;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.util.OptionalLong;
import java.util.StringJoiner;

/**
 * A record, or a row to write, was refused. The message holds everything that is known about the
 * place, and never bytes of the record:
 *
 * <pre>[truncated 101] the record ends inside a field (schema id 7, message shop.v1.Order,
 * field line[].sku, byte 42)</pre>
 */
public class RecordException extends IOException {
    private static final long NO_OFFSET = -1;

    private final FailureCode code;
    private final String reason;
    // Flink ships exceptions between processes; the text has the key as well.
    private final transient SchemaKey schemaKey;
    private final String messageName;
    private final String fieldPath;
    private final long byteOffset;

    /** A failure without a place inside the record. */
    public RecordException(FailureCode code, String reason) {
        this(code, reason, null, "", "", OptionalLong.empty(), null);
    }

    /** What native code tells; {@code schemaKey} is null where none is known. */
    static RecordException of(Failure failure, SchemaKey schemaKey) {
        return new RecordException(
                FailureCode.of(failure.getCode()),
                failure.getReason(),
                schemaKey,
                failure.getMessageName(),
                failure.getFieldPath(),
                failure.hasByteOffset()
                        ? OptionalLong.of(failure.getByteOffset())
                        : OptionalLong.empty(),
                null);
    }

    /** A record without frame that cannot be read for want of a schema. */
    public static RecordException noFrame(String why, Throwable cause) {
        return new RecordException(
                FailureCode.BAD_FRAME,
                "the record has no frame, and " + why,
                null,
                "",
                "",
                OptionalLong.of(0),
                cause);
    }

    /** A failure about a writer schema. */
    public RecordException(FailureCode code, String reason, SchemaKey schemaKey, Throwable cause) {
        this(code, reason, schemaKey, "", "", OptionalLong.empty(), cause);
    }

    /**
     * A failure with all that can be known about it.
     *
     * @param schemaKey null where none is known
     * @param messageName full name of the message, empty where none is known
     * @param fieldPath {@code line[].sku}, empty for the record itself
     * @param byteOffset from the start of the record, its frame included where it has one
     * @param cause null where there is none
     */
    public RecordException(
            FailureCode code,
            String reason,
            SchemaKey schemaKey,
            String messageName,
            String fieldPath,
            OptionalLong byteOffset,
            Throwable cause) {
        super(text(code, reason, schemaKey, messageName, fieldPath, byteOffset), cause);
        this.code = code;
        this.reason = reason;
        this.schemaKey = schemaKey;
        this.messageName = messageName;
        this.fieldPath = fieldPath;
        this.byteOffset = byteOffset.orElse(NO_OFFSET);
    }

    /** The same failure of a record that was written with this schema. */
    public RecordException withSchema(SchemaKey key) {
        return new RecordException(
                code, reason, key, messageName, fieldPath, byteOffset(), getCause());
    }

    /**
     * The same failure as seen from behind the first bytes of what was decoded: bytes that were put
     * in front of the record.
     */
    public RecordException without(int prefixBytes) {
        OptionalLong offset =
                byteOffset < prefixBytes
                        ? OptionalLong.empty()
                        : OptionalLong.of(byteOffset - prefixBytes);
        return new RecordException(
                code, reason, schemaKey, messageName, fieldPath, offset, getCause());
    }

    /** The same failure for another record, which is its own exception. */
    RecordException again() {
        return withSchema(schemaKey);
    }

    /**
     * What this failure means for a record without frame: one that cannot be read as the message is
     * no such message, so that its frame is what it lacks (decision 22).
     */
    public RecordException ofUnframed() {
        boolean isNoMessage = code.number() < FailureCode.BAD_FRAME.number() / 100 * 100;
        if (!isNoMessage) {
            return this;
        }
        return new RecordException(
                FailureCode.BAD_FRAME,
                String.format(
                        "the record has no frame, and is no such message: %s (%s)",
                        reason, code.label()),
                schemaKey,
                messageName,
                fieldPath,
                byteOffset(),
                getCause());
    }

    private static String text(
            FailureCode code,
            String reason,
            SchemaKey schemaKey,
            String messageName,
            String fieldPath,
            OptionalLong byteOffset) {
        StringJoiner place = new StringJoiner(", ", " (", ")").setEmptyValue("");
        if (schemaKey != null) {
            place.add(schemaKey.toString());
        }
        if (!messageName.isEmpty()) {
            place.add("message " + messageName);
        }
        if (!fieldPath.isEmpty()) {
            place.add("field " + fieldPath);
        }
        if (byteOffset.isPresent()) {
            place.add("byte " + byteOffset.getAsLong());
        }
        return "[" + code.label() + " " + code.number() + "] " + reason + place;
    }

    public FailureCode code() {
        return code;
    }

    /** One short sentence without the place. */
    public String reason() {
        return reason;
    }

    /** The writer schema, or null where none is known. */
    public SchemaKey schemaKey() {
        return schemaKey;
    }

    /** Full name of the message that the record was read as; empty where none is known. */
    public String messageName() {
        return messageName;
    }

    /** Names from the root, {@code line[].sku}; empty for the record itself. */
    public String fieldPath() {
        return fieldPath;
    }

    /** Byte offset inside the record, frame included. */
    public OptionalLong byteOffset() {
        return byteOffset == NO_OFFSET ? OptionalLong.empty() : OptionalLong.of(byteOffset);
    }
}
