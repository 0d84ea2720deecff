package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.row.RowOpener;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.Projection;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.Test;

class RowSelectionTest {

    private static final DataType LINE =
            DataTypes.ROW(
                    DataTypes.FIELD("sku", DataTypes.STRING()),
                    DataTypes.FIELD("count", DataTypes.INT()),
                    DataTypes.FIELD(
                            "price", DataTypes.ROW(DataTypes.FIELD("cents", DataTypes.INT()))));
    private static final DataType ORDER =
            DataTypes.ROW(
                            DataTypes.FIELD("id", DataTypes.BIGINT()),
                            DataTypes.FIELD("line", LINE),
                            DataTypes.FIELD("tags", DataTypes.ARRAY(DataTypes.STRING())))
                    .notNull();

    @Test
    void allColumns() {
        int[][] all = Projection.all(ORDER).toNestedIndexes();
        RowSelection selection = RowSelection.of(row(ORDER), all);
        assertThat(selection.decoded()).isEqualTo(row(ORDER));
        assertThat(selection.opener(true)).isEqualTo(RowOpener.binary(row(ORDER)));
        assertThat(selection.opener(false)).isEqualTo(RowOpener.generic(row(ORDER)));
    }

    @Test
    void someColumnsInAnotherOrder() {
        RowSelection selection = select(new int[][] {{2}, {0}});
        assertThat(selection.decoded().asSummaryString())
                .isEqualTo("ROW<`tags` ARRAY<STRING>, `id` BIGINT> NOT NULL");
        assertThat(selection.opener(true)).isEqualTo(RowOpener.binary(selection.decoded()));
    }

    @Test
    void noColumn() {
        RowSelection selection = select(new int[0][]);
        assertThat(selection.decoded().getFieldCount()).isZero();
        assertThat(selection.opener(true)).isEqualTo(RowOpener.binary(selection.decoded()));
    }

    @Test
    void nestedFieldsAreDecodedInTheirPlace() {
        RowSelection selection = select(new int[][] {{1, 2, 0}, {0}, {1, 0}});
        assertThat(selection.decoded().asSummaryString())
                .isEqualTo(
                        "ROW<`line` ROW<`price` ROW<`cents` INT>, `sku` STRING>, `id` BIGINT>"
                                + " NOT NULL");
        assertThat(selection.opener(true))
                .isEqualTo(
                        RowOpener.picking(
                                selection.decoded(), new int[][] {{0, 0, 0}, {1}, {0, 1}}));
    }

    @Test
    void fieldOfAColumnThatIsWhollyWanted() {
        RowSelection selection = select(new int[][] {{1, 1}, {1}});
        assertThat(selection.decoded()).isEqualTo(select(new int[][] {{1}}).decoded());
        assertThat(selection.opener(true))
                .isEqualTo(RowOpener.picking(selection.decoded(), new int[][] {{0, 1}, {0}}));
    }

    @Test
    void columnThatIsWantedTwiceIsDecodedOnce() {
        RowSelection selection = select(new int[][] {{0}, {0}});
        assertThat(selection.decoded().getFieldCount()).isEqualTo(1);
        assertThat(selection.opener(true))
                .isEqualTo(RowOpener.picking(selection.decoded(), new int[][] {{0}, {0}}));
    }

    @Test
    void fieldOfAColumnWithoutFieldsIsRefused() {
        assertThatThrownBy(() -> select(new int[][] {{2, 0}}))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'tags' of type ARRAY<STRING>");
    }

    private static RowSelection select(int[][] projections) {
        return RowSelection.of(row(ORDER), projections);
    }

    private static RowType row(DataType type) {
        return (RowType) type.getLogicalType();
    }
}
