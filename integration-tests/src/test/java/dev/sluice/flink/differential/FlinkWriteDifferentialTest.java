package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;

import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Random;

/**
 * Random rows for messages of every syntax through Flink's own {@code protobuf} format and ours:
 * the same bytes or a refusal by both. Each column set costs Flink a compilation, so many rows
 * share one. Seeds are fixed; {@code -Psluice.seed=N} takes another.
 */
class FlinkWriteDifferentialTest {
    private static final int COLUMN_SETS = 6;
    private static final int ROWS = 500;
    private static final String[] NULL_TEXTS = {"", "a", "n\\u00fcll", "\\\"NULL\\\"\\t"};

    static List<Messages> subjects() {
        return Messages.ofThisLine();
    }

    @ParameterizedTest
    @MethodSource("subjects")
    void bytesAndRefusalsAreFlinks(Messages message) throws Exception {
        Random random = new Random(Long.getLong("sluice.seed", 4) * 31 + message.ordinal());
        int records = 0;
        for (int set = 0; set < COLUMN_SETS; set++) {
            // all columns, then fewer and fewer, of deeper levels
            RandomColumns columns = new RandomColumns(random, field -> true, 1.0 / (set % 3 + 1));
            RowType type = columns.row(message.descriptor(), set % 3 + 1);
            if (lacksRequired(type, message)) {
                continue; // ours is refused while planning
            }
            String nullText = NULL_TEXTS[random.nextInt(NULL_TEXTS.length)];
            WrittenAgreement agreement = new WrittenAgreement(message, type, nullText);
            RandomRows rows = new RandomRows(random);
            for (int i = 0; i < ROWS; i++) {
                agreement.check(rows.row(type, message.descriptor()));
            }
            records += agreement.records();
        }
        // a generator whose rows are nearly all refused tests little
        assertThat(records).isGreaterThan(ROWS);
    }

    private static boolean lacksRequired(RowType type, Messages message) {
        return message.descriptor().getFields().stream()
                .filter(FieldDescriptor::isRequired)
                .anyMatch(field -> !type.getFieldNames().contains(field.getName()));
    }
}
