package dev.sluice.flink.format;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.WriterSchema;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Optional;

/**
 * The messages of a registry's schemas, as a table chooses them; tells in failure codes why one
 * could not be had. Used by one thread at a time, but for {@link #close}.
 *
 * <p>Once the schema that the table reads with is known, it stays, unless the table gives it a
 * lifetime: then each question for the message of records without frame looks it up anew.
 */
final class RegistryWriterSchemas implements WriterSchemaProvider.Open {

    private static final Logger LOG = LoggerFactory.getLogger(RegistryWriterSchemas.class);

    private final SchemaStore store;
    private final SchemaChoice choice;
    private LinkedSchema reader; // null until it is known
    private boolean told;

    RegistryWriterSchemas(SchemaStore store, SchemaChoice choice) {
        this.store = store;
        this.choice = choice;
    }

    /**
     * Looks the reader schema up as the task starts, so that all that it reads without frame is
     * read with one schema. A registry that has none, or none now, is no reason to fail: perhaps
     * every record names its own.
     */
    void settleReader() {
        if (!choice.needsReader()) {
            return;
        }
        try {
            reader = choice.reader().fetch(store, false);
        } catch (RegistryException e) {
            if (!e.kind().concernsRecord()) {
                LOG.warn(
                        "{} is looked up again when the first record needs it: {}",
                        choice.reader(),
                        e.getMessage());
            }
        } catch (SchemaException e) {
            LOG.warn("{} cannot be read: {}", choice.reader(), e.getMessage());
        }
    }

    @Override
    public WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
        try {
            LinkedSchema writer = store.schema(key, choice.lookupSubject());
            if (choice.readsAllWithReader()) {
                return inReaderSchema(writer, indexes);
            }
            return WriterMessage.of(writer.schema(), indexes, writer.origin());
        } catch (RegistryException e) {
            throw new RecordException(code(e.kind()), e.getMessage(), key, e);
        } catch (SchemaException e) {
            throw new RecordException(code(e.kind()), e.getMessage(), key, e);
        }
    }

    /** The reader's message of the same name, else its first one (R6). */
    private WriterMessage inReaderSchema(LinkedSchema writer, int[] indexes)
            throws RegistryException, SchemaException {
        String name = writer.schema().descriptor(indexes).getFullName();
        if (reader == null) {
            reader = choice.reader().fetch(store, false);
        }
        WriterSchema schema = reader.schema();
        boolean hasName =
                schema.messages().stream().anyMatch(one -> one.getFullName().equals(name));
        return hasName
                ? WriterMessage.of(schema, name, writer.origin())
                : WriterMessage.of(schema, new int[] {0}, writer.origin());
    }

    @Override
    public WriterMessage resolveUnframed() throws RecordException {
        ReaderSchema chosen = choice.reader();
        if (!chosen.exists()) {
            throw RecordException.noFrame(chosen.whyNoSubject(), null);
        }
        try {
            boolean again = told && choice.readerLifetime().isPresent();
            if (reader == null || again) {
                reader = chosen.fetch(store, again);
            }
            WriterMessage message = chosen.message(reader);
            tell(message);
            return message;
        } catch (RegistryException e) {
            if (e.kind() == RegistryException.Kind.NOT_FOUND && chosen.isLatest()) {
                throw RecordException.noFrame(
                        "there is no latest schema of subject '" + chosen.subject() + "'", e);
            }
            throw new RecordException(code(e.kind()), e.getMessage(), null, e);
        } catch (SchemaException e) {
            throw new RecordException(
                    code(e.kind()), chosen + ": " + e.getMessage(), readerKey(), e);
        }
    }

    private SchemaKey readerKey() {
        return reader == null ? null : reader.origin().key();
    }

    private void tell(WriterMessage message) {
        if (!told) {
            told = true;
            LOG.warn(
                    "records without frame are read as message {} of {} ({}). A producer that"
                            + " writes schema ids into record headers is not understood so: their"
                            + " headers can only be seen with the interceptor in"
                            + " 'properties.interceptor.classes'",
                    message.descriptor().getFullName(),
                    message.origin(),
                    choice.reader());
        }
    }

    @Override
    public Optional<Duration> unframedLifetime() {
        return choice.readerLifetime();
    }

    @Override
    public long fetches() {
        return store.fetches();
    }

    @Override
    public long fetchNanos() {
        return store.fetchNanos();
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
