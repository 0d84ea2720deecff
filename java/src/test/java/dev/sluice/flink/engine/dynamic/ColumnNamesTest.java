package dev.sluice.flink.engine.dynamic;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.GenericDescriptor;

import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

class ColumnNamesTest {
    private static Descriptor message() throws Exception {
        return WriterSchema.of(
                        "message M { optional int32 orderNo = 1; optional int32 order_no = 2; oneof"
                            + " pay { int32 cash = 3; } oneof payLater { int32 bill = 4; } optional"
                            + " int32 Pay = 5; }",
                        Map.of())
                .descriptor("M");
    }

    @ParameterizedTest
    @CsvSource({
        "order_no, M.order_no",
        "orderNo, M.orderNo",
        "order__no, M.orderNo",
        "ORDER_NO, ",
        "pay, M.pay",
        "Pay, M.Pay",
        "pay_later, M.payLater",
        "bill, M.bill",
    })
    void exactNamesWinOverCamelCase(String column, String found) throws Exception {
        GenericDescriptor target = ColumnNames.ofMessage(message(), false, true).find(column);
        assertThat(target == null ? null : target.getFullName()).isEqualTo(found);
    }

    @Test
    void flinkKnowsExactNamesOfFieldsOnly() throws Exception {
        ColumnNames names = ColumnNames.ofMessage(message(), true, false);
        assertThat(names.find("order__no")).isNull();
        assertThat(names.find("pay")).isNull();
        assertThat(names.find("cash")).isNotNull();
    }

    @Test
    void camelCaseRaisesAfterUnderscores() {
        assertThat(ColumnNames.camelCase("order_line_no")).isEqualTo("orderLineNo");
        assertThat(ColumnNames.camelCase("a__b_")).isEqualTo("aB");
        assertThat(ColumnNames.camelCase("_lead")).isEqualTo("lead");
    }
}
