package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;

import dev.sluice.flink.engine.Engine;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.LogicalTypeRoot;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;

/**
 * Every field with columns of every type: planned by both formats for reading and for writing, or
 * by none.
 */
class PairsTest {
    private static final DataType ROW = DataTypes.ROW(DataTypes.FIELD("a", DataTypes.INT()));
    private static final List<DataType> TYPES =
            List.of(
                    DataTypes.BOOLEAN(),
                    DataTypes.TINYINT(),
                    DataTypes.SMALLINT(),
                    DataTypes.INT(),
                    DataTypes.BIGINT(),
                    DataTypes.FLOAT(),
                    DataTypes.DOUBLE(),
                    DataTypes.CHAR(3),
                    DataTypes.VARCHAR(3),
                    DataTypes.STRING(),
                    DataTypes.BINARY(3),
                    DataTypes.VARBINARY(3),
                    DataTypes.BYTES(),
                    DataTypes.DECIMAL(20, 0),
                    DataTypes.DATE(),
                    DataTypes.TIME(3),
                    DataTypes.TIMESTAMP(3),
                    DataTypes.TIMESTAMP_LTZ(3),
                    DataTypes.MULTISET(DataTypes.STRING()),
                    ROW,
                    DataTypes.ARRAY(DataTypes.INT()),
                    DataTypes.ARRAY(DataTypes.BIGINT()),
                    DataTypes.ARRAY(DataTypes.STRING()),
                    DataTypes.ARRAY(DataTypes.BYTES()),
                    DataTypes.ARRAY(DataTypes.DOUBLE()),
                    DataTypes.ARRAY(ROW),
                    DataTypes.ARRAY(DataTypes.ARRAY(DataTypes.INT())),
                    DataTypes.MAP(DataTypes.STRING(), DataTypes.STRING()),
                    DataTypes.MAP(DataTypes.STRING(), DataTypes.INT()),
                    DataTypes.MAP(DataTypes.INT(), DataTypes.STRING()),
                    DataTypes.MAP(DataTypes.STRING(), ROW),
                    DataTypes.MAP(DataTypes.BYTES(), DataTypes.STRING()));

    @ParameterizedTest
    @EnumSource(names = {"PROTO2", "PROTO3"})
    void whatFlinkPlansWePlan(Messages message) {
        for (FieldDescriptor field : message.descriptor().getFields()) {
            for (DataType type : TYPES) {
                check(message, field.getName(), type.getLogicalType());
            }
        }
        check(message, "no_such_field", DataTypes.INT().getLogicalType());
        check(message, "I", DataTypes.INT().getLogicalType());
    }

    private static void check(Messages message, String name, LogicalType type) {
        RowType row = RowType.of(new LogicalType[] {type}, new String[] {name});
        NativeFormat ours = new NativeFormat(Messages.flink().loader(), Engine.AUTO);
        boolean flinkPlans = plans(() -> Messages.flink().plan(row, message.className()));
        boolean wePlan = plans(() -> ours.plan(row, message.className(), false));
        boolean weWrite = plans(() -> ours.writePlan(row, message.className(), ""));
        assertThat(List.of(wePlan, weWrite))
                .as("%s.%s as %s", message, name, type.asSummaryString())
                .isEqualTo(List.of(flinkPlans, flinkPlans));
        if (flinkPlans && !isNarrowEnum(message, name, type)) {
            assertThat(plans(() -> Messages.flink().openWriter(row, message.className(), "")))
                    .isTrue();
        }
    }

    /** Flink's code for it does not compile. */
    private static boolean isNarrowEnum(Messages message, String name, LogicalType type) {
        return type.isAnyOf(LogicalTypeRoot.TINYINT, LogicalTypeRoot.SMALLINT)
                && message.descriptor().findFieldByName(name).getJavaType()
                        == FieldDescriptor.JavaType.ENUM;
    }

    private static boolean plans(Planning planning) {
        try {
            planning.plan();
            return true;
        } catch (ValidationException e) {
            return false;
        } catch (Exception e) {
            throw new AssertionError("no answer", e);
        }
    }

    private interface Planning {
        void plan() throws Exception;
    }
}
