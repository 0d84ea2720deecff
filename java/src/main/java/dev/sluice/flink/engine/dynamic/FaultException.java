package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.bridge.FailureCode;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A value that its column cannot have, on the way out of the converters; each adds the field that
 * it stands for. The decoder turns it into the exception that callers see.
 */
final class FaultException extends Exception {
    private static final long serialVersionUID = 1L;

    private final FailureCode code;
    private final transient Deque<String> path = new ArrayDeque<>();

    FaultException(FailureCode code, String reason) {
        super(reason, null, false, false);
        this.code = code;
    }

    FailureCode code() {
        return code;
    }

    /** The name of the field around what is known so far. */
    FaultException inside(String field) {
        path.addFirst(field);
        return this;
    }

    /** Names from the root, {@code line[].sku}. */
    String fieldPath() {
        return String.join(".", path);
    }
}
