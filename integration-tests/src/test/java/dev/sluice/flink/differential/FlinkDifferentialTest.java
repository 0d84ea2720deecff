package dev.sluice.flink.differential;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.Random;
import java.util.stream.Stream;

/**
 * Random records of every syntax, good and broken, through Flink's own {@code protobuf} format and
 * ours: the same row or a refusal by both. Each column set costs Flink a compilation, so many
 * records share one. Seeds are fixed; {@code -Dseed=N} takes another.
 */
class FlinkDifferentialTest {
    private static final int COLUMN_SETS = 3;
    private static final int RECORDS = 700;

    static Stream<Arguments> subjects() {
        return Messages.ofThisLine().stream()
                .flatMap(one -> Stream.of(Arguments.of(one, false), Arguments.of(one, true)));
    }

    @ParameterizedTest(name = "{0}, read-default-values = {1}")
    @MethodSource("subjects")
    void rowsAndRefusalsAreFlinks(Messages message, boolean defaults) throws Exception {
        Random random = new Random(Long.getLong("seed", 4) * 31 + message.ordinal());
        int rows = 0;
        int refusals = 0;
        for (int set = 0; set < COLUMN_SETS; set++) {
            // all columns, then fewer and fewer, of deeper levels
            RandomColumns columns =
                    new RandomColumns(
                            random, field -> message.isReadable(field, defaults), 1.0 / (set + 1));
            RowType type = columns.row(message.descriptor(), set + 1);
            // one set of each with records dropped
            boolean ignoring = set == COLUMN_SETS - 1;
            Agreement agreement = new Agreement(message, type, defaults, ignoring);
            RandomRecords records = new RandomRecords(message.descriptor(), random);
            agreement.check(new byte[0]);
            for (int i = 0; i < RECORDS; i++) {
                agreement.check(records.next());
            }
            rows += agreement.rows();
            refusals += agreement.refusals();
        }
        // a generator whose records are nearly all refused, or none, tests little
        assertThat(rows).isGreaterThan(RECORDS);
        assertThat(refusals).isGreaterThan(RECORDS / 10);
    }
}
