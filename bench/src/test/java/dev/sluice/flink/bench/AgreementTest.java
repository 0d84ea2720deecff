package dev.sluice.flink.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import dev.sluice.flink.bench.messages.Nested;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A contender that reads or writes something else than the reference is found out. */
class AgreementTest {
    private static final Payload NESTED = nested();
    private final DynamicReader reference = new DynamicReader(NESTED);
    private final Agreement agreement = new Agreement(NESTED.row(), reference);

    @Test
    void acceptsTheSameRowsInOtherClasses() {
        assertThatCode(() -> new Readers(NESTED).verified()).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "order_id",
                "user_id",
                "addr",
                "items",
                "attrs",
                "samples",
                "ts",
                "status",
                "note"
            })
    void refusesAReaderThatLosesAColumn(String column) {
        int index = NESTED.row().getFieldNames().indexOf(column);
        RecordReader forgetful =
                record -> {
                    GenericRowData row = (GenericRowData) reference.read(record);
                    row.setField(index, null);
                    return row;
                };
        assertThatThrownBy(() -> agreement.require("forgetful", forgetful, NESTED.records()))
                .hasMessageStartingWith("forgetful disagrees about record 0: " + column + ": ");
    }

    @Test
    void refusesAReaderOfWhichOneRecordDiffersByOneValueFarInside() {
        byte[][] records = NESTED.records();
        RecordReader wrongOnce =
                record -> reference.read(record == records[7] ? otherPrice(record) : record);
        assertThatThrownBy(() -> agreement.require("wrong", wrongOnce, records))
                .hasMessageMatching("wrong disagrees about record 7: items\\[2]\\.price: .*");
    }

    @Test
    void refusesAWriterThatWritesAnotherText() throws Exception {
        DynamicWriter writer = new DynamicWriter(NESTED.descriptor(), NESTED.row());
        RowData[] rows = {reference.read(NESTED.records()[0])};
        int note = NESTED.row().getFieldNames().indexOf("note");
        RowWriter wrong =
                row -> {
                    GenericRowData other = (GenericRowData) reference.read(NESTED.records()[0]);
                    other.setField(note, StringData.fromString("another"));
                    return writer.write(other);
                };
        agreement.requireWriter("right", writer, rows, NESTED.records());
        assertThatThrownBy(() -> agreement.requireWriter("wrong", wrong, rows, NESTED.records()))
                .hasMessageStartingWith("wrong disagrees about record 0: note: ");
    }

    @Test
    void mapsHaveNoOrder() throws Exception {
        byte[] record = NESTED.records()[0];
        Nested order = Nested.parseFrom(record);
        FieldDescriptor attrs = Nested.getDescriptor().findFieldByName("attrs");
        DynamicMessage.Builder turned = DynamicMessage.newBuilder(order).clearField(attrs);
        for (int i = order.getAttrsCount() - 1; i >= 0; i--) {
            turned.addRepeatedField(attrs, (Message) order.getRepeatedField(attrs, i));
        }
        byte[] other = turned.build().toByteArray();
        assertThat(other).isNotEqualTo(record);
        assertThat(RowDifference.find(reference.read(record), reference.read(other), NESTED.row()))
                .isEmpty();
    }

    private static Payload nested() {
        try {
            return Payloads.of("nested", 20);
        } catch (Exception e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private static byte[] otherPrice(byte[] record) throws Exception {
        Nested.Builder order = Nested.parseFrom(record).toBuilder();
        order.getItemsBuilder(2).setPrice(-1);
        return order.build().toByteArray();
    }
}
