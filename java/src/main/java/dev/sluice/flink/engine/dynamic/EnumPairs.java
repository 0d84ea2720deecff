package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.EnumValueDescriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.plan.SqlType;

import java.nio.charset.StandardCharsets;

/**
 * Enums to SQL types: names, or numbers. Unknown numbers of closed enums do not get here; of open
 * ones CONFLUENT keeps the number (D4), FLINK what generated Java classes say of it.
 */
final class EnumPairs {
    private static final byte[] UNRECOGNIZED = "UNRECOGNIZED".getBytes(StandardCharsets.UTF_8);

    private EnumPairs() {}

    /** Null if the SQL type cannot hold an enum. */
    static ValueConverter converter(SqlType sql, boolean flink) {
        switch (sql.getKind()) {
            case CHAR:
            case VARCHAR:
                return flink ? EnumPairs::nameInFlink : EnumPairs::name;
            case INTEGER:
                return value -> number(value, flink);
            case BIGINT:
                return value -> (long) number(value, flink);
            case SMALLINT:
                return flink ? value -> (short) number(value, true) : null;
            case TINYINT:
                return flink ? value -> (byte) number(value, true) : null;
            default:
                return null;
        }
    }

    private static Object name(Object value) {
        // protobuf-java names unknown numbers UNKNOWN_ENUM_VALUE_<enum>_<number>.
        return ((EnumValueDescriptor) value).getName().getBytes(StandardCharsets.UTF_8);
    }

    private static Object nameInFlink(Object value) {
        return isUnknown((EnumValueDescriptor) value) ? UNRECOGNIZED : name(value);
    }

    private static int number(Object value, boolean flink) throws FaultException {
        EnumValueDescriptor found = (EnumValueDescriptor) value;
        if (flink && isUnknown(found)) {
            throw new FaultException(
                    FailureCode.UNKNOWN_ENUM_NUMBER,
                    "the enum has no value of number " + found.getNumber());
        }
        return found.getNumber();
    }

    /** Whether protobuf-java made the value up for a number that the enum lacks. */
    static boolean isUnknown(EnumValueDescriptor value) {
        return value.getIndex() < 0;
    }
}
