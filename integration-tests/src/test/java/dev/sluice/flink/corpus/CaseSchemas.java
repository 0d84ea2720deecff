package dev.sluice.flink.corpus;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.WriterSchemaProvider;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.util.LinkedHashMap;
import java.util.Map;

/** A registry in memory that holds one case's main file with its references, and nothing else. */
final class CaseSchemas implements WriterSchemaProvider {
    private static final long serialVersionUID = 1L;

    private final int id;
    private final String text;
    private final LinkedHashMap<String, String> imports;

    CaseSchemas(int id, String text, Map<String, String> imports) {
        this.id = id;
        this.text = text;
        this.imports = new LinkedHashMap<>(imports);
    }

    @Override
    public Open open() {
        return this::resolve;
    }

    private WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
        if (!key.equals(SchemaKey.ofId(id))) {
            throw new RecordException(
                    FailureCode.SCHEMA_NOT_FOUND, "the registry of the case has it not", key, null);
        }
        try {
            return WriterMessage.of(WriterSchema.of(text, imports), indexes, SchemaOrigin.NONE);
        } catch (SchemaException e) {
            FailureCode code =
                    e.kind() == SchemaException.Kind.UNKNOWN_INDEX
                            ? FailureCode.UNKNOWN_MESSAGE_INDEX
                            : FailureCode.BAD_SCHEMA;
            throw new RecordException(code, e.getMessage(), key, e);
        }
    }
}
