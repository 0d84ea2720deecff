package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

/** Why and where the bytes of a record are not the message that they should be. */
final class WireFault {
    private final FailureCode code;
    private final String reason;
    private final String fieldPath;
    private final int byteOffset;

    WireFault(FailureCode code, String reason, String fieldPath, int byteOffset) {
        this.code = code;
        this.reason = reason;
        this.fieldPath = fieldPath;
        this.byteOffset = byteOffset;
    }

    FailureCode code() {
        return code;
    }

    /** One short sentence without the place; the same that native code gives. */
    String reason() {
        return reason;
    }

    /** Field names from the root, {@code line[].sku}; empty for the record itself. */
    String fieldPath() {
        return fieldPath;
    }

    /** From the start of the record, frame included. */
    int byteOffset() {
        return byteOffset;
    }

    @Override
    public String toString() {
        return code.label() + " at byte " + byteOffset + ", field '" + fieldPath + "'";
    }
}
