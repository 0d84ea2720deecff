package dev.sluice.flink.schema;

import dev.sluice.flink.plan.ResolvedField;
import dev.sluice.flink.plan.ResolvedMessage;
import dev.sluice.flink.plan.ResolvedSchema;

import java.util.Map;

/** Short ways into resolved schemas, for assertions. */
final class ResolvedSchemas {
    private ResolvedSchemas() {}

    static WriterSchema schema(String... lines) throws SchemaException {
        return WriterSchema.of(String.join("\n", lines), Map.of());
    }

    static ResolvedMessage root(ResolvedSchema schema) {
        return schema.getMessages(schema.getRoot());
    }

    static String name(ResolvedSchema schema) {
        return root(schema).getFullName();
    }

    static ResolvedField field(ResolvedSchema schema, String name) {
        return field(root(schema), name);
    }

    static ResolvedField field(ResolvedMessage message, String name) {
        return message.getFieldsList().stream()
                .filter(field -> field.getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** The message that a field refers to. */
    static ResolvedMessage target(ResolvedSchema schema, String field) {
        return schema.getMessages(field(schema, field).getMessageIndex());
    }
}
