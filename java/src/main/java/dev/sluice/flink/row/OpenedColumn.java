package dev.sluice.flink.row;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.TimestampData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * One column of an opened row: where it stands in the decoded row, and how it becomes an object.
 *
 * <p>The usual types are read from the row's bytes by a switch. Flink's own getters, one lambda per
 * column over a {@code BinaryRowData} over a segment, cost several times as much, so they are left
 * the rest: decimals, bytes, collections, rows, and what stands inside of another row.
 */
final class OpenedColumn {
    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INTS =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle SHORTS =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);

    /** Flink's rows have the byte order of the machine. */
    private static final boolean IS_LITTLE_ENDIAN =
            ByteOrder.nativeOrder() == ByteOrder.LITTLE_ENDIAN;

    private static final int COMPACT_TIMESTAMP = 3;
    private static final int TEXT_LENGTH_BITS = 0x7f;

    // Numbers in place of an enum, whose switch looks up two arrays for each value.
    private static final int OTHER = 0;
    private static final int BOOLEAN = 1;
    private static final int TINYINT = 2;
    private static final int SMALLINT = 3;
    private static final int INT = 4;
    private static final int BIGINT = 5;
    private static final int FLOAT = 6;
    private static final int DOUBLE = 7;
    private static final int TEXT = 8;
    private static final int MILLIS = 9;

    private final int[] parents;
    private final int[] parentArities;
    private final int last;
    private final RowData.FieldGetter getter;

    // Of a column of the decoded row itself.
    private final int kind;
    private final int slotAt;
    private final int nullByteAt;
    private final int nullBit;

    /**
     * @param path indexes that lead to the column from the root of {@code decoded}
     */
    OpenedColumn(RowType decoded, int[] path) {
        parents = Arrays.copyOf(path, path.length - 1);
        parentArities = new int[parents.length];
        last = path[parents.length];
        RowType row = decoded;
        for (int step = 0; step < parents.length; step++) {
            row = (RowType) row.getTypeAt(parents[step]);
            parentArities[step] = row.getFieldCount();
        }
        LogicalType type = row.getTypeAt(last);
        // NULL is looked up here, whatever the type says; the getter need not do it again.
        getter = RowData.createFieldGetter(type.copy(false), last);
        kind = parents.length == 0 && IS_LITTLE_ENDIAN ? kind(type) : OTHER;
        slotAt = BinaryRowData.calculateBitSetWidthInBytes(decoded.getFieldCount()) + 8 * last;
        int bit = last + 8; // behind the row kind
        nullByteAt = bit / 8;
        nullBit = 1 << bit % 8;
    }

    private static int kind(LogicalType type) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return BOOLEAN;
            case TINYINT:
                return TINYINT;
            case SMALLINT:
                return SMALLINT;
            case INTEGER:
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
                return INT;
            case BIGINT:
                return BIGINT;
            case FLOAT:
                return FLOAT;
            case DOUBLE:
                return DOUBLE;
            case CHAR:
            case VARCHAR:
                return TEXT;
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return LogicalTypeChecks.getPrecision(type) <= COMPACT_TIMESTAMP ? MILLIS : OTHER;
            default:
                return OTHER;
        }
    }

    /**
     * The column's value; null for NULL.
     *
     * @param bytes of the row
     */
    Object open(BinaryRowData row, byte[] bytes) {
        if (parents.length > 0) {
            return inside(row);
        }
        if ((bytes[nullByteAt] & nullBit) != 0) {
            return null;
        }
        return value(row, bytes);
    }

    /** The same for a column of the decoded row itself that is not NULL. */
    Object value(BinaryRowData row, byte[] bytes) {
        switch (kind) {
            case BOOLEAN:
                return bytes[slotAt] != 0;
            case TINYINT:
                return bytes[slotAt];
            case SMALLINT:
                return (short) SHORTS.get(bytes, slotAt);
            case INT:
                return (int) INTS.get(bytes, slotAt);
            case BIGINT:
                return (long) LONGS.get(bytes, slotAt);
            case FLOAT:
                return Float.intBitsToFloat((int) INTS.get(bytes, slotAt));
            case DOUBLE:
                return Double.longBitsToDouble((long) LONGS.get(bytes, slotAt));
            case TEXT:
                return text(row.getSegments(), (long) LONGS.get(bytes, slotAt));
            case MILLIS:
                return TimestampData.fromEpochMillis((long) LONGS.get(bytes, slotAt));
            default:
                return getter.getFieldOrNull(row);
        }
    }

    /** A view: up to 7 bytes stand in the slot, marked by its highest bit. */
    private BinaryStringData text(MemorySegment[] segments, long slot) {
        if (slot < 0) {
            int length = (int) (slot >>> 56) & TEXT_LENGTH_BITS;
            return BinaryStringData.fromAddress(segments, slotAt, length);
        }
        return BinaryStringData.fromAddress(segments, (int) (slot >>> 32), (int) slot);
    }

    private Object inside(RowData row) {
        for (int step = 0; step < parents.length; step++) {
            if (row.isNullAt(parents[step])) {
                return null;
            }
            row = row.getRow(parents[step], parentArities[step]);
        }
        return row.isNullAt(last) ? null : getter.getFieldOrNull(row);
    }
}
