package dev.sluice.flink.mapping;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.bridge.Orders;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.row.RowOpener;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Column {@code f} of one record of one schema: asked of every engine, under all rules. */
final class Question {
    /** The SQL type cannot hold the field. */
    static final String MISMATCH = "–";

    private static final ClassLoader LOADER = Question.class.getClassLoader();

    private static final Map<List<String>, Question> ASKED = new ConcurrentHashMap<>();

    private final String text;
    private final WriterMessage message;
    private final byte[] record;

    private Question(String text, WriterMessage message, byte[] record) {
        this.text = text;
        this.message = message;
        this.record = record;
    }

    /**
     * A record of the text's first message.
     *
     * @param hex the message's bytes
     */
    static Question of(String text, String hex) {
        return ASKED.computeIfAbsent(List.of(text, hex), key -> read(text, hex));
    }

    private static Question read(String text, String hex) {
        try {
            WriterSchema schema = WriterSchema.of(text, Map.of());
            byte[] record = Orders.framed(Orders.FRAME, HexFormat.of().parseHex(hex));
            return new Question(
                    text, WriterMessage.of(schema, new int[] {0}, SchemaOrigin.NONE), record);
        } catch (SchemaException e) {
            throw new AssertionError(text, e);
        }
    }

    /**
     * The value as this SQL type, under each of the {@link Rules}: text of the value, label of the
     * failure, or {@link #MISMATCH}.
     */
    List<String> answers(String sqlType) {
        LogicalType type = LogicalTypeParser.parse(sqlType, LOADER);
        RowType row = RowType.of(new LogicalType[] {type}, new String[] {"f"});
        List<String> answers = new ArrayList<>();
        for (Rules rules : Rules.values()) {
            byte[] plan = rules.plan(row);
            String answer = answer(Engine.NATIVE, plan, row);
            assertThat(answer(Engine.JAVA, plan, row))
                    .as("%s by %s, of\n%s", sqlType, rules, text)
                    .isEqualTo(answer);
            answers.add(answer);
        }
        return answers;
    }

    private String answer(Engine engine, byte[] plan, RowType row) {
        try (RecordDecoder decoder = engine.open(plan, (key, indexes) -> message)) {
            byte[] bytes = decoder.decode(record);
            String shown = ValueText.of(RowOpener.generic(row).open(bytes), row);
            return shown.substring(1, shown.length() - 1); // the one column
        } catch (RecordException e) {
            return e.code() == FailureCode.TYPE_MISMATCH ? MISMATCH : e.code().label();
        } catch (IOException e) {
            throw new AssertionError(text, e);
        }
    }
}
