package dev.sluice.flink.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.core.memory.MemorySegment;
import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.DoubleType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.stream.LongStream;

/** Rows of every class come out as Flink's own serializer lays them out. */
class RowBytesTest {
    private static final int ROWS_PER_TYPE = 5;

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    private static byte[] bytes(RowBytes bytes, RowData row) {
        bytes.take(row);
        int from = bytes.offset();
        return Arrays.copyOfRange(bytes.bytes(), from, from + bytes.length());
    }

    private static byte[] flinkBytes(RowData row, RowType type) {
        BinaryRowData binary = new RowDataSerializer(type).toBinaryRow(row);
        byte[] bytes = new byte[binary.getSizeInBytes()];
        binary.getSegments()[0].get(binary.getOffset(), bytes);
        return bytes;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void genericRowsAndRowsThatHoldBinaryOnes(long seed) {
        RandomRows random = new RandomRows(seed, false);
        RowType type = random.rowType();
        RowBytes bytes = new RowBytes(type);
        for (int at = 0; at < ROWS_PER_TYPE; at++) {
            GenericRowData row = random.row(type);
            byte[] expected = flinkBytes(row, type);

            assertThat(bytes(bytes, row)).as(type.asSummaryString()).isEqualTo(expected);
            assertThat(bytes(bytes, withBinaryParts(row, type))).isEqualTo(expected);
        }
    }

    /** The same values, as a binary row hands them out: parts of it, not copies. */
    private static GenericRowData withBinaryParts(RowData row, RowType type) {
        BinaryRowData binary = new RowDataSerializer(type).toBinaryRow(row).copy();
        GenericRowData parts = new GenericRowData(type.getFieldCount());
        for (int column = 0; column < type.getFieldCount(); column++) {
            LogicalType nullable = type.getTypeAt(column).copy(true);
            RowData.FieldGetter getter = RowData.createFieldGetter(nullable, column);
            parts.setField(column, getter.getFieldOrNull(binary));
        }
        return parts;
    }

    @Test
    void aBinaryRowIsTakenWhereItStands() {
        RowType type = RowType.of(new VarBinaryType(VarBinaryType.MAX_LENGTH));
        byte[] expected = flinkBytes(GenericRowData.of(new byte[] {1, 2, 3}), type);
        byte[] shifted = new byte[expected.length + 8];
        System.arraycopy(expected, 0, shifted, 8, expected.length);
        BinaryRowData row = new BinaryRowData(1);
        row.pointTo(MemorySegmentFactory.wrap(shifted), 8, expected.length);
        RowBytes bytes = new RowBytes(type);

        assertThat(bytes(bytes, row)).isEqualTo(expected);
        assertThat(bytes.bytes()).isSameAs(shifted);
    }

    @Test
    void aBinaryRowOverSeveralSegmentsIsCopied() {
        RowType type = RowType.of(new VarBinaryType(VarBinaryType.MAX_LENGTH));
        byte[] value = new byte[100];
        Arrays.fill(value, (byte) 7);
        byte[] expected = flinkBytes(GenericRowData.of(value), type);
        MemorySegment[] segments = new MemorySegment[2];
        for (int at = 0; at < segments.length; at++) {
            byte[] part = Arrays.copyOfRange(expected, 64 * at, 64 * (at + 1));
            segments[at] = MemorySegmentFactory.wrap(part);
        }
        BinaryRowData row = new BinaryRowData(1);
        row.pointTo(segments, 0, expected.length);

        assertThat(bytes(new RowBytes(type), row)).isEqualTo(expected);
    }

    @Test
    void theBitsOfANanAreKeptInArraysToo() {
        RowType type = RowType.of(new ArrayType(new DoubleType()));
        long bits = 0x7ff8_0000_0000_0001L;
        GenericRowData row =
                GenericRowData.of(
                        new GenericArrayData(new double[] {Double.longBitsToDouble(bits)}));
        RowBytes bytes = new RowBytes(type);
        bytes.take(row);
        BinaryRowData laidOut = new BinaryRowData(1);
        laidOut.pointTo(MemorySegmentFactory.wrap(bytes.bytes()), bytes.offset(), bytes.length());

        assertThat(Double.doubleToRawLongBits(laidOut.getArray(0).getDouble(0))).isEqualTo(bits);
    }

    @Test
    void nothingIsLeftOfALargerRow() {
        RowType type = RowType.of(new VarBinaryType(VarBinaryType.MAX_LENGTH));
        RowBytes bytes = new RowBytes(type);
        for (int length : new int[] {3_000_000, 9, 0, 1000, 8, 7, 17}) {
            byte[] value = new byte[length];
            Arrays.fill(value, (byte) -1);
            GenericRowData row = GenericRowData.of(value);

            assertThat(bytes(bytes, row)).isEqualTo(flinkBytes(row, type));
        }
    }
}
