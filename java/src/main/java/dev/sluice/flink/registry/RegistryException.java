package dev.sluice.flink.registry;

import java.io.IOException;

/**
 * Why a writer schema could not be had.
 *
 * <p>The message names the registry's URLs (never their user info), the schema asked for and the
 * cause; it holds no credentials. Callers decide by {@link #kind()}, never by text.
 */
public final class RegistryException extends IOException {
    private static final long serialVersionUID = 1L;

    /** What went wrong, and whether the record or its surroundings are to blame. */
    public enum Kind {
        /** The registry answered that it has no such schema. */
        NOT_FOUND(true),
        /** The schema, or one it references, is of another {@code schemaType} than PROTOBUF. */
        OTHER_TYPE(true),
        /** A text cannot be read or linked, or a reference is broken or missing. */
        BAD_SCHEMA(true),
        /** The schema has rules (encryption, CEL), which nothing here can run. */
        RULES(false),
        /**
         * The registry does not take a schema: incompatible (409), invalid or not allowed (422).
         */
        REJECTED(false),
        /** No URL gave a complete answer: no connection, no such host, TLS, time-out. */
        UNREACHABLE(false),
        /** The registry wants other credentials: HTTP 401 or 403. */
        REFUSED(false),
        /** The registry wants fewer requests: HTTP 429, also after all retries. */
        THROTTLED(false),
        /** The registry is in trouble: HTTP 408 or 5xx, also after all retries. */
        UNAVAILABLE(false),
        /** An answer that no registry should give: a redirect, an odd status, no JSON. */
        UNEXPECTED(false),
        /** The waiting thread was interrupted; its flag is set again. */
        INTERRUPTED(false);

        private final boolean concernsRecord;

        Kind(boolean concernsRecord) {
            this.concernsRecord = concernsRecord;
        }

        /**
         * True if the record names a schema that cannot serve: trying again does not help, and an
         * error policy may skip the record. False if the next record would fail as well.
         */
        public boolean concernsRecord() {
            return concernsRecord;
        }
    }

    private final Kind kind;
    private final int errorCode;

    RegistryException(Kind kind, int errorCode, String message, Throwable cause) {
        super(message, cause);
        this.kind = kind;
        this.errorCode = errorCode;
    }

    RegistryException(Kind kind, String message) {
        this(kind, 0, message, null);
    }

    /** An equal one with the stack trace of the caller, which holds no cause alive. */
    RegistryException again() {
        return new RegistryException(kind, errorCode, getMessage(), null);
    }

    public Kind kind() {
        return kind;
    }

    /**
     * The registry's own {@code error_code} such as 40403, 50005 if the error body was not JSON, or
     * 0 if no error answer came.
     */
    public int errorCode() {
        return errorCode;
    }
}
