package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.rowimage.ImageCell;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/** Pairs of an SQL type and one value of a field: the same as in reading, each the other way. */
final class CellPairs {
    private static final int UINT64_DIGITS = 20;
    private static final long UINT32_MAX = 0xffff_ffffL;

    private final WriteCompiler rows;
    private final CellMessages messages;

    CellPairs(WriteCompiler rows) {
        this.rows = rows;
        this.messages = new CellMessages(rows);
    }

    /**
     * The converter to one value of {@code field}, repeated or not.
     *
     * @throws RecordException {@code TYPE_MISMATCH} if there is none
     */
    CellConverter single(FieldDescriptor field, SqlType sql) throws RecordException {
        CellConverter found;
        SqlKind kind = sql.getKind();
        switch (field.getType()) {
            case STRING:
                boolean isText = kind == SqlKind.CHAR || kind == SqlKind.VARCHAR;
                found = isText ? CellPairs::text : null;
                break;
            case BYTES:
                boolean isBinary = kind == SqlKind.BINARY || kind == SqlKind.VARBINARY;
                found = isBinary ? cell -> ByteString.copyFrom(cell.octets()) : null;
                break;
            case BOOL:
                found = kind == SqlKind.BOOLEAN ? ImageCell::bool : null;
                break;
            case FLOAT:
                found = toFloat(kind);
                break;
            case DOUBLE:
                found = kind == SqlKind.DOUBLE ? ImageCell::float64 : null;
                break;
            case ENUM:
                found = toEnum(field, kind);
                break;
            case MESSAGE:
            case GROUP:
                return messages.message(field, sql);
            default:
                found = rows.isFlink() ? toIntegerInFlink(field, kind) : toInteger(field, sql);
                break;
        }
        if (found == null) {
            throw rows.mismatch(field, sql);
        }
        return found;
    }

    /** Malformed bytes are replaced as in any Java string. */
    private static String text(ImageCell cell) {
        return new String(cell.octets(), StandardCharsets.UTF_8);
    }

    private CellConverter toFloat(SqlKind kind) {
        if (kind == SqlKind.FLOAT) {
            return ImageCell::float32;
        }
        if (kind != SqlKind.DOUBLE || rows.isFlink()) {
            return null;
        }
        return cell -> {
            double wide = cell.float64();
            float narrow = (float) wide;
            if (Float.isInfinite(narrow) && !Double.isInfinite(wide)) {
                throw outOfRange();
            }
            return narrow;
        };
    }

    private static CellConverter toIntegerInFlink(FieldDescriptor field, SqlKind kind) {
        if (field.getJavaType() == FieldDescriptor.JavaType.INT) {
            return kind == SqlKind.INTEGER ? ImageCell::int32 : null;
        }
        return kind == SqlKind.BIGINT ? ImageCell::int64 : null;
    }

    private static CellConverter toInteger(FieldDescriptor field, SqlType sql) {
        SqlKind kind = sql.getKind();
        switch (field.getType()) {
            case UINT32:
            case FIXED32:
                return kind == SqlKind.BIGINT ? cell -> low32(cell.int64()) : null;
            case UINT64:
            case FIXED64:
                if (kind == SqlKind.DECIMAL) {
                    boolean holdsAll = sql.getPrecision() == UINT64_DIGITS && sql.getScale() == 0;
                    return holdsAll ? CellPairs::unsigned : null;
                }
                return kind == SqlKind.BIGINT ? ImageCell::int64 : null;
            case INT64:
            case SINT64:
            case SFIXED64:
                return kind == SqlKind.BIGINT ? ImageCell::int64 : null;
            default:
                return toSigned32(field, kind);
        }
    }

    private static CellConverter toSigned32(FieldDescriptor field, SqlKind kind) {
        switch (kind) {
            case TINYINT:
                return cell -> (int) cell.int8();
            case SMALLINT:
                return cell -> (int) cell.int16();
            case INTEGER:
                return ImageCell::int32;
            case BIGINT:
                return field.getType() == FieldDescriptor.Type.SFIXED32
                        ? cell -> low32(cell.int64())
                        : cell -> exactInt(cell.int64());
            default:
                return null;
        }
    }

    /** E5, as long as nothing but a sign is cut off. */
    private static int low32(long value) throws FaultException {
        if (value < Integer.MIN_VALUE || value > UINT32_MAX) {
            throw outOfRange();
        }
        return (int) value;
    }

    private static int exactInt(long value) throws FaultException {
        if (value != (int) value) {
            throw outOfRange();
        }
        return (int) value;
    }

    private static Object unsigned(ImageCell cell) throws FaultException {
        BigInteger value = new BigInteger(cell.octets());
        if (value.signum() < 0 || value.bitLength() > Long.SIZE) {
            throw outOfRange();
        }
        return value.longValue();
    }

    private static FaultException outOfRange() {
        return new FaultException(FailureCode.NUMBER_RANGE, "a number does not fit its field");
    }

    private CellConverter toEnum(FieldDescriptor field, SqlKind kind) {
        EnumDescriptor type = field.getEnumType();
        boolean flink = rows.isFlink();
        switch (kind) {
            case CHAR:
            case VARCHAR:
                return cell -> named(type, text(cell));
            case INTEGER:
                return cell -> numbered(field, cell.int32());
            case BIGINT:
                return flink
                        ? cell -> numbered(field, (int) cell.int64())
                        : cell -> numbered(field, exactInt(cell.int64()));
            case SMALLINT:
                return flink ? cell -> numbered(field, cell.int16()) : null;
            case TINYINT:
                return flink ? cell -> numbered(field, cell.int8()) : null;
            default:
                return null;
        }
    }

    private EnumValueDescriptor named(EnumDescriptor type, String name) throws FaultException {
        EnumValueDescriptor found = type.findValueByName(name);
        if (found != null) {
            return found;
        }
        if (rows.isFlink()) {
            return type.getValues().get(0);
        }
        throw new FaultException(
                FailureCode.UNKNOWN_ENUM_NAME, type.getFullName() + " has no value of this name");
    }

    private EnumValueDescriptor numbered(FieldDescriptor field, int number) throws FaultException {
        EnumDescriptor type = field.getEnumType();
        EnumValueDescriptor found = type.findValueByNumber(number);
        if (found != null) {
            return found;
        }
        if (rows.isFlink()) {
            return type.getValues().get(0);
        }
        if (field.legacyEnumFieldTreatedAsClosed()) {
            throw new FaultException(
                    FailureCode.UNKNOWN_ENUM_NUMBER,
                    type.getFullName() + " has no value of number " + number);
        }
        return type.findValueByNumberCreatingIfUnknown(number);
    }
}
