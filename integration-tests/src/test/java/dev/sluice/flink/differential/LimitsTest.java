package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.it.GeneratedJar;
import dev.sluice.flink.it.ProtoFile;

import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarCharType;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;

/** The largest shapes: Flink's format and ours make the same rows and records of them. */
class LimitsTest {
    private static final int FIELDS = 2000;
    private static final int LEVELS = 64;
    private static final int ELEMENTS = 10_000;
    private static final int TEXT_BYTES = 16 << 20;

    @Test
    void twoThousandColumns() throws Exception {
        StringBuilder text =
                new StringBuilder("syntax = 'proto3'; option java_package = 'wide';")
                        .append(" option java_multiple_files = true; message Wide {");
        for (int number = 1; number <= FIELDS; number++) {
            text.append(" int32 f").append(number).append(" = ").append(number).append(";");
        }
        Map<String, String> files = Map.of("wide.proto", text.append(" }").toString());
        FlinkFormat flink = new FlinkFormat(GeneratedJar.of(FlinkFormat.release(), files));
        Descriptor wide = ProtoFile.of("wide.proto", text.toString()).find("Wide");
        RowType type = new RandomColumns(new Random(2), field -> true, 1.0).row(wide, 0);
        Agreement agreement = new Agreement(flink, "wide.Wide", type, false, false);

        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        for (int number = FIELDS; number > 0; number -= 3) {
            out.writeInt32(number, number * 7);
        }
        out.flush();
        agreement.check(bytes.toByteArray());
        assertThat(agreement.rows()).isEqualTo(1);

        GenericRowData row = new GenericRowData(FIELDS);
        for (int column = 0; column < FIELDS; column += 3) {
            row.setField(column, column * 7);
        }
        new WrittenAgreement(flink, "wide.Wide", type, "").check(row);
    }

    @Test
    void columnsOfSixtyFourLevelsAndMessagesOfAHundred() throws Exception {
        RowType type = RowType.of(new LogicalType[] {new IntType()}, new String[] {"a"});
        for (int level = 1; level < LEVELS; level++) {
            type = RowType.of(new LogicalType[] {type, new IntType()}, new String[] {"self", "a"});
        }
        Agreement agreement =
                new Agreement(Messages.flink(), "diff3.Third$Small3", type, false, false);
        GenericRowData row = GenericRowData.of(1);
        for (int level = 1; level < LEVELS; level++) {
            row = GenericRowData.of(row, level);
        }
        new WrittenAgreement(Messages.flink(), "diff3.Third$Small3", type, "").check(row);

        byte[] record = {8, 1};
        for (int level = 1; level <= 101; level++) {
            record = around(3, record);
            agreement.check(record);
        }
        assertThat(agreement.rows()).isEqualTo(100);
        assertThat(agreement.refusals()).isEqualTo(1);
    }

    private static byte[] around(int number, byte[] message) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeInt32(1, message.length);
        out.writeByteArray(number, message);
        out.flush();
        return bytes.toByteArray();
    }

    @Test
    void tenThousandElementsAndLongTexts() throws Exception {
        RandomColumns columns =
                new RandomColumns(
                        new Random(3),
                        field ->
                                Arrays.asList("s", "ri", "rs", "smalls", "mi", "a")
                                        .contains(field.getName()),
                        1.0);
        RowType type = columns.row(Messages.PROTO3.descriptor(), 1);
        Agreement agreement = new Agreement(Messages.PROTO3, type, false, false);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        for (int i = 0; i < ELEMENTS; i++) {
            out.writeInt32(6, i);
            out.writeString(26, "text " + i);
            out.writeByteArray(31, new byte[] {8, (byte) (i & 0x7f)});
            out.writeByteArray(18, entry(i * 7919, "v" + i));
        }
        byte[] text = new byte[TEXT_BYTES];
        Arrays.fill(text, (byte) 'x');
        out.writeByteArray(2, text);
        out.flush();
        agreement.check(bytes.toByteArray());
        assertThat(agreement.rows()).isEqualTo(1);
        assertThat(type.getTypeAt(type.getFieldIndex("s")))
                .isEqualTo(new VarCharType(VarCharType.MAX_LENGTH));

        // what was read is written
        GenericRowData row = new GenericRowData(type.getFieldCount());
        RowData read =
                new NativeFormat(Messages.flink().loader(), Engine.NATIVE)
                        .open(type, Messages.PROTO3.className(), false, false)
                        .deserialize(bytes.toByteArray());
        for (int column = 0; column < row.getArity(); column++) {
            row.setField(
                    column,
                    RowData.createFieldGetter(type.getTypeAt(column), column).getFieldOrNull(read));
        }
        new WrittenAgreement(Messages.PROTO3, type, "").check(row);
    }

    private static byte[] entry(int key, String value) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        out.writeInt32(1, key);
        out.writeString(2, value);
        out.flush();
        return bytes.toByteArray();
    }
}
