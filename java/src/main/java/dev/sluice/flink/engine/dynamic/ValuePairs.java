package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Pairs of one value of a field and an SQL type: which there are, and their converters. */
final class ValuePairs {
    private static final int UINT64_DIGITS = 20;

    private final RowCompiler rows;
    private final MessagePairs messages;

    ValuePairs(RowCompiler rows) {
        this.rows = rows;
        this.messages = new MessagePairs(rows);
    }

    /**
     * The converter of one value of {@code field}, repeated or not.
     *
     * @throws RecordException {@code TYPE_MISMATCH} if there is none
     */
    ValueConverter single(FieldDescriptor field, SqlType sql, Level level) throws RecordException {
        ValueConverter found;
        switch (field.getType()) {
            case STRING:
                found = isText(sql) ? ValuePairs::utf8 : null;
                break;
            case BYTES:
                found = isBinary(sql) ? value -> ((ByteString) value).toByteArray() : null;
                break;
            case BOOL:
                found = sql.getKind() == SqlKind.BOOLEAN ? value -> value : null;
                break;
            case FLOAT:
                found = ofFloat(sql);
                break;
            case DOUBLE:
                found = sql.getKind() == SqlKind.DOUBLE ? value -> value : null;
                break;
            case ENUM:
                found = EnumPairs.converter(sql, rows.isFlink());
                break;
            case MESSAGE:
            case GROUP:
                return messages.message(field, sql, level);
            default:
                found = rows.isFlink() ? ofIntegerInFlink(field, sql) : ofInteger(field, sql);
                break;
        }
        if (found == null) {
            throw rows.mismatch(field, sql);
        }
        return found;
    }

    private static boolean isText(SqlType sql) {
        return sql.getKind() == SqlKind.CHAR || sql.getKind() == SqlKind.VARCHAR;
    }

    private static boolean isBinary(SqlType sql) {
        return sql.getKind() == SqlKind.BINARY || sql.getKind() == SqlKind.VARBINARY;
    }

    private static Object utf8(Object text) {
        return ((String) text).getBytes(StandardCharsets.UTF_8);
    }

    private ValueConverter ofFloat(SqlType sql) {
        if (sql.getKind() == SqlKind.DOUBLE && !rows.isFlink()) {
            return value -> ((Float) value).doubleValue();
        }
        return sql.getKind() == SqlKind.FLOAT ? value -> value : null;
    }

    /** FLINK keeps the bit pattern of unsigned numbers, and widens nothing. */
    private static ValueConverter ofIntegerInFlink(FieldDescriptor field, SqlType sql) {
        boolean isInt = field.getJavaType() == FieldDescriptor.JavaType.INT;
        return sql.getKind() == (isInt ? SqlKind.INTEGER : SqlKind.BIGINT) ? value -> value : null;
    }

    /** CONFLUENT keeps the value of unsigned numbers of 32 bits, and the bits of 64 (D2, D3). */
    private static ValueConverter ofInteger(FieldDescriptor field, SqlType sql) {
        SqlKind kind = sql.getKind();
        switch (field.getType()) {
            case UINT32:
            case FIXED32:
                return kind == SqlKind.BIGINT
                        ? value -> Integer.toUnsignedLong((Integer) value)
                        : null;
            case UINT64:
            case FIXED64:
                if (kind == SqlKind.DECIMAL) {
                    boolean holdsAll = sql.getPrecision() == UINT64_DIGITS && sql.getScale() == 0;
                    return holdsAll ? value -> unsigned((Long) value) : null;
                }
                return kind == SqlKind.BIGINT ? value -> value : null;
            case INT64:
            case SINT64:
            case SFIXED64:
                return kind == SqlKind.BIGINT ? value -> value : null;
            default:
                return ofSigned32(kind);
        }
    }

    private static ValueConverter ofSigned32(SqlKind kind) {
        switch (kind) {
            case TINYINT:
                return value -> ((Integer) value).byteValue();
            case SMALLINT:
                return value -> ((Integer) value).shortValue();
            case INTEGER:
                return value -> value;
            case BIGINT:
                return value -> ((Integer) value).longValue();
            default:
                return null;
        }
    }

    private static BigDecimal unsigned(long bits) {
        BigInteger low = BigInteger.valueOf(bits);
        return new BigDecimal(bits < 0 ? low.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : low);
    }
}
