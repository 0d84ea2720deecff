package dev.sluice.flink.format;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.InvalidProtocolBufferException;

import dev.sluice.flink.engine.FrameHeader;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.plan.WriterDescriptors;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.SchemaRegistrar;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaChanges;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaFile;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.SchemaPrinter;
import dev.sluice.flink.schema.WriterSchema;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * The message that a table writes, from a schema registry: found by what the table says of it, or
 * registered. {@code docs/writing.md} has the table of cases.
 *
 * <p>What counts in the end is the schema that the registry holds under the id: message indexes are
 * those of its text (W10), and rows are written as its fields.
 */
public final class RegistryWrittenMessage implements WrittenMessageProvider {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(RegistryWrittenMessage.class);

    private final RegistryConfig config;
    private final WriterChoice choice;
    private final boolean isInHeader;

    /**
     * @param isInHeader whether a header of the record names the schema, not the payload
     */
    public RegistryWrittenMessage(RegistryConfig config, WriterChoice choice, boolean isInHeader) {
        this.config = config;
        this.choice = choice;
        this.isInHeader = isInHeader;
    }

    RegistryConfig config() {
        return config;
    }

    WriterChoice choice() {
        return choice;
    }

    /** Asks the registry, and registers the schema if the table says so. */
    @Override
    public WrittenMessage open() throws IOException {
        try (SchemaStore store = SchemaStore.open(config)) {
            WrittenMessage written = find(store, choice.registers());
            LOG.info(
                    "rows are written as message {} of {} (subject '{}'){}",
                    written.message().descriptor().getFullName(),
                    written.message().origin(),
                    choice.subject(),
                    isInHeader ? ", which a header names by its " + key(written) : "");
            return written;
        } catch (SchemaException e) {
            throw new IOException(choice + " cannot be written: " + e.getMessage(), e);
        }
    }

    /**
     * The message, without registering anything; null if it is not known before a task registers
     * it.
     *
     * @throws SchemaException if the table's own schema cannot be linked
     */
    WrittenMessage find(RegistryConfig planning) throws IOException, SchemaException {
        try (SchemaStore store = SchemaStore.open(planning)) {
            return choice.registers() && hasSchema() ? null : find(store, false);
        }
    }

    /** Whether the table brings the schema along. */
    boolean hasSchema() {
        return choice.text() != null || choice.descriptors() != null;
    }

    /** The message as the table itself describes it, or null. */
    WriterMessage ofTable() throws SchemaException {
        if (!hasSchema()) {
            return null;
        }
        WriterSchema schema = local();
        return WriterMessage.of(schema, nameIn(schema), SchemaOrigin.NONE);
    }

    private WriterSchema local() throws SchemaException {
        if (choice.text() != null) {
            return WriterSchema.of(choice.text(), Map.of());
        }
        try {
            return WriterSchema.ofDescriptors(WriterDescriptors.parseFrom(choice.descriptors()));
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("the choice holds no descriptors", e);
        }
    }

    private SchemaFile localFile(WriterSchema schema) throws SchemaException {
        if (choice.text() != null) {
            return new SchemaFile(choice.toString(), choice.text(), List.of());
        }
        Descriptor message = schema.descriptor(choice.message());
        return SchemaPrinter.file(message.getFile(), choice.skipsKnown());
    }

    private WrittenMessage find(SchemaStore store, boolean registers)
            throws IOException, SchemaException {
        SchemaRegistrar registrar =
                new SchemaRegistrar(
                        store,
                        choice.normalizes(),
                        choice.looksUpReferencesOnly(),
                        choice.qualifiesReferences()
                                ? RegistryWrittenMessage::qualified
                                : path -> path);
        switch (choice.by()) {
            case ID:
                return ofId(store, choice.id());
            case GUID:
                SchemaKey guid = SchemaKey.ofGuid(choice.guid());
                return ofId(store, registrar.idOf(guid, choice.subject()));
            case LATEST_WITH_METADATA:
                return of(store.latest(choice.subject(), choice.metadata()));
            case LATEST:
                return of(latest(store));
            default:
                return ofTable(store, registrar, registers);
        }
    }

    /** {@code a/b.proto} as {@code a.b}. */
    private static String qualified(String path) {
        String name = path.endsWith(".proto") ? path.substring(0, path.length() - 6) : path;
        return name.replace('/', '.');
    }

    private WrittenMessage ofTable(SchemaStore store, SchemaRegistrar registrar, boolean registers)
            throws IOException, SchemaException {
        WriterSchema schema = local();
        SchemaFile file = localFile(schema);
        if (registers) {
            return ofId(store, registrar.register(choice.subject(), file));
        }
        OptionalInt known = registrar.lookUp(choice.subject(), file);
        if (known.isPresent()) {
            return ofId(store, known.getAsInt());
        }
        if (!choice.takesLatest()) {
            throw new IOException(
                    String.format(
                            "Subject '%s' does not hold %s, and 'auto-register-schemas' is false."
                                    + " Register the schema, set 'auto-register-schemas' to true,"
                                    + " or write the subject's latest schema by the property"
                                    + " 'use.latest.version'.",
                            choice.subject(), choice));
        }
        LinkedSchema latest = latest(store);
        if (choice.descriptors() != null && choice.latestIsStrict()) {
            requireCompatible(schema, latest);
        }
        return of(latest);
    }

    /** C2: the registry's schema must read what the class would write. */
    private void requireCompatible(WriterSchema local, LinkedSchema latest)
            throws IOException, SchemaException {
        List<String> changes =
                SchemaChanges.incompatible(
                        local.descriptor(choice.message()).getFile(), latest.schema());
        if (!changes.isEmpty()) {
            throw new IOException(
                    String.format(
                            "Incompatible schema of type 'PROTOBUF': the latest schema of subject"
                                    + " '%s' (%s) does not fit %s: %s. Set"
                                    + " latest.compatibility.strict=false to write it all the"
                                    + " same.",
                            choice.subject(), latest.origin(), choice, changes));
        }
    }

    private LinkedSchema latest(SchemaStore store) throws IOException {
        try {
            return store.latest(choice.subject());
        } catch (RegistryException e) {
            if (e.kind() != RegistryException.Kind.NOT_FOUND) {
                throw e;
            }
            throw new IOException(
                    String.format(
                            "Subject '%s' has no schema, and 'auto-register-schemas' is false."
                                    + " Register a schema, or set 'auto-register-schemas' to true"
                                    + " to have one registered that is made of the columns.",
                            choice.subject()),
                    e);
        }
    }

    private WrittenMessage ofId(SchemaStore store, int id) throws IOException, SchemaException {
        return of(store.schema(SchemaKey.ofId(id), choice.subject()));
    }

    private WrittenMessage of(LinkedSchema stored) throws IOException, SchemaException {
        if (!stored.writeRules().isEmpty()) {
            throw new IOException(
                    stored.origin()
                            + " has rules to run on write, which is not supported: "
                            + stored.writeRules());
        }
        if (stored.origin().id().isEmpty()) {
            throw new IOException("the registry tells no id of " + choice);
        }
        String name = nameIn(stored.schema());
        WrittenMessage framed =
                new WrittenMessage(
                        WriterMessage.of(stored.schema(), name, stored.origin()),
                        frame(stored, stored.schema().indexes(name)));
        return isInHeader ? framed.withFrameInRecordHeader() : framed;
    }

    /** A header names the GUID, where the registry finds schemas by that; else the id (W19). */
    private byte[] frame(LinkedSchema stored, int[] indexes) {
        Optional<UUID> guid = stored.origin().guid();
        return isInHeader && stored.isGuidTold() && guid.isPresent()
                ? FrameHeader.of(guid.get(), indexes)
                : FrameHeader.of(stored.origin().id().getAsInt(), indexes);
    }

    private static String key(WrittenMessage written) {
        return written.recordHeader()[0] == 0
                ? "id, as the registry tells no GUID of it"
                : "GUID " + written.message().origin().guid().orElseThrow();
    }

    /** The name of a derived message means nothing in a schema that somebody else wrote. */
    private String nameIn(WriterSchema schema) throws SchemaException {
        String name = choice.message();
        boolean isMadeUp =
                choice.by() == WriterChoice.By.COLUMNS && name.equals(DerivedSchema.DEFAULT_NAME);
        boolean isFirst =
                name == null
                        || isMadeUp
                                && schema.messages().stream()
                                        .noneMatch(one -> one.getFullName().equals(name));
        return isFirst ? schema.descriptor(new int[] {0}).getFullName() : name;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegistryWrittenMessage
                && config.equals(((RegistryWrittenMessage) other).config)
                && choice.equals(((RegistryWrittenMessage) other).choice)
                && isInHeader == ((RegistryWrittenMessage) other).isInHeader;
    }

    @Override
    public int hashCode() {
        return Objects.hash(config, choice, isInHeader);
    }

    /** The schema, and the registry without secrets. */
    @Override
    public String toString() {
        return choice + " of " + config;
    }
}
