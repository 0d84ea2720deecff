package dev.sluice.flink.bridge;

import java.util.Locale;

/**
 * Why a record or a call was refused. The numbers are shared with native code, the corpus and the
 * documentation: append only, never renumber or reuse. Native code returns them negated.
 *
 * <p>The Rust enum of the same name lists the same pairs; {@code FailureCodeTest} compares the two
 * through the library.
 */
public enum FailureCode {
    TRUNCATED(101),
    MALFORMED_VARINT(102),
    INVALID_TAG(103),
    INVALID_WIRE_TYPE(104),
    END_GROUP_MISMATCH(105),
    INVALID_UTF8(106),
    TOO_DEEP(107),
    MISSING_REQUIRED(108),

    BAD_FRAME(201),
    UNKNOWN_MESSAGE_INDEX(202),

    UNKNOWN_ENUM_NUMBER(301),
    UNKNOWN_ENUM_NAME(302),
    TIMESTAMP_RANGE(303),
    BAD_DATE(304),
    BAD_TIME(305),
    BAD_DECIMAL(306),
    NULL_IN_NOT_NULL(307),
    NUMBER_RANGE(308),

    TYPE_MISMATCH(401),
    UNSUPPORTED_PLAN(402),
    MALFORMED_PLAN(403),
    AMBIGUOUS_COLUMN(404),
    UNSUPPORTED_COLUMN(405),

    /** Control: Java resolves the writer schema and tries again. */
    UNKNOWN_SCHEMA(501),
    SCHEMA_NOT_FOUND(502),
    BAD_SCHEMA(503),
    OTHER_SCHEMA_TYPE(504),
    REGISTRY_UNREACHABLE(505),
    REGISTRY_REFUSED(506),
    SCHEMA_HAS_RULES(507),
    /** Control: the record's message is not the one that the table asks for; no error. */
    OTHER_MESSAGE(508),

    PANIC(601),
    CLOSED(602),
    POISONED(603),
    RECORD_TOO_LARGE(604),
    ROW_TOO_LARGE(605),
    /** Control: Java asks for the row or record buffer again and tries again. */
    ROW_BUFFER_MOVED(606),
    MALFORMED_ROW(607);

    private final int number;

    FailureCode(int number) {
        this.number = number;
    }

    /** The number that stands in messages, in the corpus and (negated) in native results. */
    public int number() {
        return number;
    }

    /** The name in messages and in the corpus, {@code bad-frame}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * Whether another record could still be read after this failure: the record, or its schema, is
     * at fault. False where the registry, the plan or the engine is, so that no policy may skip the
     * record.
     */
    public boolean isRecordsFault() {
        switch (this) {
            case UNSUPPORTED_PLAN:
            case MALFORMED_PLAN:
            case UNKNOWN_SCHEMA:
            case REGISTRY_UNREACHABLE:
            case REGISTRY_REFUSED:
            case SCHEMA_HAS_RULES:
            case OTHER_MESSAGE:
            case PANIC:
            case CLOSED:
            case POISONED:
            case ROW_BUFFER_MOVED:
            case MALFORMED_ROW:
                return false;
            default:
                return true;
        }
    }

    /** The code with this number; a number that no code has is a bug of ours. */
    public static FailureCode of(int number) {
        for (FailureCode code : values()) {
            if (code.number == number) {
                return code;
            }
        }
        throw new IllegalArgumentException("no failure code has the number " + number);
    }
}
