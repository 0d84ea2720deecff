package dev.sluice.flink.row;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.core.memory.MemorySegmentFactory;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.data.binary.BinaryStringData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.stream.LongStream;

class RowOpenerTest {

    private static final int ROWS_PER_TYPE = 5;

    static LongStream seeds() {
        return LongStream.range(0, 300);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void openedRowsHoldWhatWasWritten(long seed) {
        RandomRows random = new RandomRows(seed);
        RowType type = random.rowType();
        RowOpener generic = RowOpener.generic(type);
        RowOpener binary = RowOpener.binary(type);
        for (int at = 0; at < ROWS_PER_TYPE; at++) {
            GenericRowData written = random.row(type);
            byte[] bytes = bytes(written, type);

            RowData opened = generic.open(bytes);
            assertThat(opened).isInstanceOf(GenericRowData.class);
            assertThat(opened.getRowKind()).isEqualTo(RowKind.INSERT);
            assertThat(PlainValues.ofRow(opened, type))
                    .as(type.asSummaryString())
                    .isEqualTo(PlainValues.ofRow(written, type));
            assertThat(bytes(opened, type)).isEqualTo(bytes);

            assertThat(binary.open(bytes)).isEqualTo(binaryRow(bytes, type));
        }
    }

    /** NULL bits begin behind the eight of the row kind, so words of them end at 56 and 120. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 55, 56, 57, 119, 120, 121})
    void valuesAreFoundBetweenNulls(int columns) {
        DataTypes.Field[] fields = new DataTypes.Field[columns];
        Arrays.setAll(fields, at -> DataTypes.FIELD("c" + at, DataTypes.INT()));
        RowType type = row(DataTypes.ROW(fields).notNull());
        for (int present = 0; present < columns; present++) {
            GenericRowData written = new GenericRowData(columns);
            written.setField(present, present);
            written.setField(columns - 1, -1);
            assertThat(RowOpener.generic(type).open(bytes(written, type))).isEqualTo(written);
        }
        GenericRowData nulls = new GenericRowData(columns);
        assertThat(RowOpener.generic(type).open(bytes(nulls, type))).isEqualTo(nulls);
    }

    @Test
    void nullPassesInAColumnThatIsNotNull() {
        DataType nullable = DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT())).notNull();
        DataType notNull = DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT().notNull())).notNull();
        byte[] bytes = bytes(GenericRowData.of((Object) null), row(nullable));
        assertThat(RowOpener.generic(row(notNull)).open(bytes).isNullAt(0)).isTrue();
        assertThat(RowOpener.binary(row(notNull)).open(bytes).isNullAt(0)).isTrue();
    }

    @Test
    void stringsAreViewsOnTheBytes() {
        RowType type = row(DataTypes.ROW(DataTypes.FIELD("a", DataTypes.STRING())));
        byte[] bytes = bytes(GenericRowData.of(StringData.fromString("a long enough text")), type);
        BinaryStringData text = (BinaryStringData) RowOpener.generic(type).open(bytes).getString(0);
        assertThat(text.getSegments()[0].getArray()).isSameAs(bytes);
    }

    @Test
    void nestedFieldsArePicked() {
        RowType type =
                row(
                        DataTypes.ROW(
                                DataTypes.FIELD("id", DataTypes.INT()),
                                DataTypes.FIELD(
                                        "line",
                                        DataTypes.ROW(
                                                DataTypes.FIELD("sku", DataTypes.STRING()),
                                                DataTypes.FIELD("count", DataTypes.INT())))));
        RowOpener opener = RowOpener.picking(type, new int[][] {{1, 1}, {0}, {1, 0}, {1}});
        GenericRowData line = GenericRowData.of(StringData.fromString("a-1"), 3);

        RowData opened = opener.open(bytes(GenericRowData.of(7, line), type));
        assertThat(opened.getArity()).isEqualTo(4);
        assertThat(opened.getInt(0)).isEqualTo(3);
        assertThat(opened.getInt(1)).isEqualTo(7);
        assertThat(opened.getString(2)).hasToString("a-1");
        assertThat(opened.getRow(3, 2).getInt(1)).isEqualTo(3);

        RowData absent = opener.open(bytes(GenericRowData.of(7, null), type));
        assertThat(absent).isEqualTo(GenericRowData.of(null, 7, null, null));
    }

    @Test
    void isAValueThatSurvivesSerialization() throws Exception {
        RowType type = new RandomRows(3).rowType();
        for (RowOpener opener :
                Arrays.asList(
                        RowOpener.binary(type),
                        RowOpener.generic(type),
                        RowOpener.picking(type, new int[][] {{0}}))) {
            RowOpener shipped = InstantiationUtil.clone(opener);
            assertThat(shipped).isEqualTo(opener).hasSameHashCodeAs(opener);
            byte[] bytes = bytes(new RandomRows(3).row(type), type);
            assertThat(shipped.open(bytes)).isEqualTo(opener.open(bytes));
        }
        assertThat(RowOpener.binary(type))
                .isNotEqualTo(RowOpener.generic(type))
                .isNotEqualTo(RowOpener.binary(RowType.of()));
        assertThat(RowOpener.generic(type))
                .isNotEqualTo(RowOpener.picking(type, new int[][] {{0}}));
    }

    private static byte[] bytes(RowData row, RowType type) {
        BinaryRowData binary = new RowDataSerializer(type).toBinaryRow(row);
        byte[] bytes = new byte[binary.getSizeInBytes()];
        binary.getSegments()[0].get(binary.getOffset(), bytes);
        return bytes;
    }

    private static BinaryRowData binaryRow(byte[] bytes, RowType type) {
        BinaryRowData row = new BinaryRowData(type.getFieldCount());
        row.pointTo(MemorySegmentFactory.wrap(bytes.clone()), 0, bytes.length);
        return row;
    }

    private static RowType row(DataType type) {
        return (RowType) type.getLogicalType();
    }
}
