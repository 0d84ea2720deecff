package dev.sluice.flink.bridge;

/** The native library cannot be used here: the message names the platform, the cause says why. */
public final class NativeUnavailableException extends RuntimeException {
    NativeUnavailableException(String message, Throwable cause) {
        super(message, cause);
    }
}
