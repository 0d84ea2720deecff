package dev.sluice.flink.format;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;

/** The messages of a registry's schemas; tells in failure codes why one could not be had. */
final class RegistryWriterSchemas implements WriterSchemaProvider.Open {

    private final SchemaStore store;
    private final String subject; // where ids are looked up first

    RegistryWriterSchemas(SchemaStore store, String subject) {
        this.store = store;
        this.subject = subject;
    }

    @Override
    public WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
        try {
            LinkedSchema schema = store.schema(key, subject);
            return WriterMessage.of(schema.schema(), indexes, schema.origin());
        } catch (RegistryException e) {
            throw new RecordException(code(e.kind()), e.getMessage(), key, e);
        } catch (SchemaException e) {
            throw new RecordException(code(e.kind()), e.getMessage(), key, e);
        }
    }

    @Override
    public void close() {
        store.close();
    }

    static FailureCode code(RegistryException.Kind kind) {
        switch (kind) {
            case NOT_FOUND:
                return FailureCode.SCHEMA_NOT_FOUND;
            case OTHER_TYPE:
                return FailureCode.OTHER_SCHEMA_TYPE;
            case BAD_SCHEMA:
                return FailureCode.BAD_SCHEMA;
            case RULES:
                return FailureCode.SCHEMA_HAS_RULES;
            case REFUSED:
                return FailureCode.REGISTRY_REFUSED;
            default:
                return FailureCode.REGISTRY_UNREACHABLE;
        }
    }

    static FailureCode code(SchemaException.Kind kind) {
        return kind == SchemaException.Kind.UNKNOWN_INDEX
                ? FailureCode.UNKNOWN_MESSAGE_INDEX
                : FailureCode.BAD_SCHEMA;
    }
}
