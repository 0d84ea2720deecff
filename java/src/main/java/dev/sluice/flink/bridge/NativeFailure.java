package dev.sluice.flink.bridge;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.plan.Failure;

/** What native code tells of a refusal. */
final class NativeFailure {

    /**
     * @param detail a serialized {@code Failure}; null if native code has none
     */
    static Failure read(int code, byte[] detail) {
        try {
            if (detail != null) {
                return Failure.parseFrom(detail);
            }
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("native code broke its contract", e);
        }
        String reason = "native code gave no detail";
        return Failure.newBuilder().setCode(code).setReason(reason).build();
    }

    private NativeFailure() {}
}
