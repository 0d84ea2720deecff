package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Failure;

import java.util.OptionalLong;

/** Why a record has no row in a batch, or a row no record. Never holds bytes of it. */
public final class RefusedRecord {
    private final int index;
    private final FailureCode code;
    private final String reason;
    private final String messageName;
    private final String fieldPath;
    private final long byteOffset; // -1 where there is none

    RefusedRecord(int index, Failure failure) {
        this.index = index;
        code = FailureCode.of(failure.getCode());
        reason = failure.getReason();
        messageName = failure.getMessageName();
        fieldPath = failure.getFieldPath();
        byteOffset = failure.hasByteOffset() ? failure.getByteOffset() : -1;
    }

    RefusedRecord(int index, RecordException failure) {
        this.index = index;
        code = failure.code();
        reason = failure.reason();
        messageName = failure.messageName();
        fieldPath = failure.fieldPath();
        byteOffset = failure.byteOffset().orElse(-1);
    }

    /** Which of the records, or rows, that were handed in. */
    public int index() {
        return index;
    }

    /** What went wrong; {@code docs/errors.md} lists the codes. */
    public FailureCode code() {
        return code;
    }

    /** One short sentence. */
    public String reason() {
        return reason;
    }

    /** Full name of the message that the record was read as; empty before it is known. */
    public String messageName() {
        return messageName;
    }

    /** Field or column names from the root, {@code line[].sku}; empty for the record itself. */
    public String fieldPath() {
        return fieldPath;
    }

    /** Offset of the field that failed, from the record's first byte, if it has a place there. */
    public OptionalLong byteOffset() {
        return byteOffset < 0 ? OptionalLong.empty() : OptionalLong.of(byteOffset);
    }

    @Override
    public String toString() {
        return "record "
                + index
                + ": ["
                + code
                + "] "
                + reason
                + (fieldPath.isEmpty() ? "" : " (field " + fieldPath + ")");
    }
}
