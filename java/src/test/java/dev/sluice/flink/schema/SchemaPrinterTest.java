package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What is printed means what was read: messages, their indexes, and all that a reader or writer
 * asks of their fields. {@code -Psluice.seed=N} repeats a run.
 */
class SchemaPrinterTest {
    private static final int TEXTS = 400;

    @Test
    void randomSchemasMeanTheSameWhenTheyArePrinted() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        System.out.println("SchemaPrinterTest: seed " + seed);
        for (int i = 0; i < TEXTS; i++) {
            String text = RandomSchema.text(new Random(seed + i));
            WriterSchema read = WriterSchema.of(text, Map.of());
            List<Descriptor> messages = read.messages();
            if (messages.isEmpty()) {
                continue;
            }
            String printed = SchemaPrinter.print(messages.get(0).getFile());
            String context = "seed " + (seed + i) + ":\n" + text + "\nprinted:\n" + printed;
            WriterSchema again = WriterSchema.of(printed, Map.of());

            for (Descriptor message : messages) {
                String name = message.getFullName();
                assertThat(again.indexes(name)).as(context).isEqualTo(read.indexes(name));
                assertThat(meaning(again.message(name)))
                        .as(context)
                        .isEqualTo(meaning(read.message(name)));
            }
            assertThat(SchemaPrinter.print(again.messages().get(0).getFile()))
                    .as(context)
                    .isEqualTo(printed);
        }
    }

    /** Fields by message and number; what is told by an index is told by name. */
    private static Map<String, TreeMap<Integer, String>> meaning(ResolvedSchema schema) {
        Map<String, TreeMap<Integer, String>> meaning = new TreeMap<>();
        for (ResolvedMessage message : schema.getMessagesList()) {
            TreeMap<Integer, String> fields = new TreeMap<>();
            message.getFieldsList()
                    .forEach(field -> fields.put(field.getNumber(), of(field, message, schema)));
            meaning.put(message.getFullName() + " " + message.getMapEntry(), fields);
        }
        return meaning;
    }

    private static String of(ResolvedField field, ResolvedMessage message, ResolvedSchema schema) {
        ResolvedField.Builder rest = field.toBuilder();
        String type = "";
        switch (field.getKind()) {
            case FIELD_MESSAGE:
            case FIELD_GROUP:
                type = schema.getMessages(field.getMessageIndex()).getFullName();
                break;
            case FIELD_ENUM:
                type =
                        new TreeSet<>(
                                        List.of(
                                                schema.getEnums(field.getEnumIndex())
                                                        .toString()
                                                        .split("values ")))
                                .toString();
                break;
            default:
                break;
        }
        String oneof = field.hasOneofIndex() ? message.getOneofs(field.getOneofIndex()) : "";
        return rest.clearMessageIndex().clearEnumIndex().clearOneofIndex().build()
                + " "
                + type
                + " "
                + oneof;
    }
}
