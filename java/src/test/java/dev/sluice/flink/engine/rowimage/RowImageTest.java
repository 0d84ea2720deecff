package dev.sluice.flink.engine.rowimage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.row.RandomRows;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.RowDataSerializer;
import org.apache.flink.table.types.logical.BigIntType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Arrays;
import java.util.stream.LongStream;

class RowImageTest {
    private static final int ROWS_PER_TYPE = 5;

    static LongStream seeds() {
        return LongStream.range(0, 500);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("seeds")
    void writesTheBytesOfFlinksSerializer(long seed) throws Exception {
        RandomRows random = new RandomRows(seed);
        RowType type = random.rowType();
        RowImage image = new RowImage(sqlType(type));
        for (int at = 0; at < ROWS_PER_TYPE; at++) {
            GenericRowData row = random.row(type);
            assertThat(image.write(ImageValues.ofRow(row, type)))
                    .as(type.asSummaryString())
                    .isEqualTo(flinkBytes(row, type));
        }
    }

    @Test
    void keepsNoBytesOfALargerRow() throws Exception {
        RowType type = RowType.of(new VarBinaryType(VarBinaryType.MAX_LENGTH), new BigIntType());
        RowImage image = new RowImage(sqlType(type));
        for (int len : new int[] {3_000_000, 9, 0, 1000, 8, 7, 17}) {
            byte[] bytes = new byte[len];
            Arrays.fill(bytes, (byte) -1);
            byte[] expected = flinkBytes(GenericRowData.of(bytes, null), type);
            assertThat(image.write(new Object[] {bytes, null})).isEqualTo(expected);
        }
    }

    @Test
    void refusesARowAboveItsLimitAndWritesTheNext() throws Exception {
        RowType type = RowType.of(new VarBinaryType(VarBinaryType.MAX_LENGTH));
        RowImage image = new RowImage(sqlType(type), 40);
        assertThat(image.write(new Object[] {new byte[24]})).hasSize(40);
        assertThatThrownBy(() -> image.write(new Object[] {new byte[25]}))
                .isInstanceOf(RowTooLargeException.class)
                .hasMessage("the row is longer than 40 bytes");
        assertThat(image.write(new Object[] {new byte[24]})).hasSize(40);
    }

    @Test
    void equalKeysHaveEqualBytes() {
        ElementImage doubles =
                new ElementImage(SqlType.newBuilder().setKind(SqlKind.DOUBLE).build());
        double otherNan = Double.longBitsToDouble(0x7ff8_0000_0000_0001L);
        assertThat(doubles.write(otherNan)).isEqualTo(doubles.write(Double.NaN));
        assertThat(doubles.write(-0.0)).isNotEqualTo(doubles.write(0.0));
        assertThat(doubles.write(null)).isNotEqualTo(doubles.write(0.0));
    }

    private static SqlType sqlType(RowType type) throws InvalidProtocolBufferException {
        byte[] plan = new PlanBuilder(type, Profile.CONFLUENT, Framing.BARE).build();
        return Plan.parseFrom(plan).getRow();
    }

    private static byte[] flinkBytes(GenericRowData row, RowType type) {
        BinaryRowData binary = new RowDataSerializer(type).toBinaryRow(row);
        byte[] bytes = new byte[binary.getSizeInBytes()];
        binary.getSegments()[0].get(binary.getOffset(), bytes);
        return bytes;
    }
}
