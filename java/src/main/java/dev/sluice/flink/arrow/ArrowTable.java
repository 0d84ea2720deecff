package dev.sluice.flink.arrow;

import dev.sluice.flink.bridge.NativeBatchDecoder;
import dev.sluice.flink.bridge.PlanRefusedException;
import dev.sluice.flink.engine.FrameHeader;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.NoWriterSchemas;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.ReaderSchema;
import dev.sluice.flink.format.RegistrySchemaProvider;
import dev.sluice.flink.format.SchemaChoice;
import dev.sluice.flink.format.WriterSchemaProvider;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.types.logical.RowType;

import java.io.IOException;
import java.util.Map;

/**
 * What the records of a table are, and which columns are wanted of them: all that the message has,
 * unless {@link #columns} says otherwise. Immutable; values follow the rules of the format {@code
 * proto-confluent}.
 */
public final class ArrowTable {
    private final Source source;
    private final RowType columns; // null: those of the message

    private ArrowTable(Source source, RowType columns) {
        this.source = source;
        this.columns = columns;
    }

    /** Where messages come from. */
    private interface Source {
        Framing framing();

        WriterSchemaProvider.Open open() throws IOException;

        /** The message that columns are inferred from. */
        WriterMessage message(WriterSchemaProvider.Open schemas) throws IOException;
    }

    /**
     * A table of bare records.
     *
     * @param schemaText a {@code .proto} file
     * @param imports texts of the files that it imports, by import path; well-known ones need not
     *     be there
     * @param messageName full name of the records' message
     * @throws IllegalArgumentException if the text cannot be read, or has no such message
     */
    public static ArrowTable ofText(
            String schemaText, Map<String, String> imports, String messageName) {
        try {
            WriterSchema schema = WriterSchema.of(schemaText, imports);
            return new ArrowTable(
                    new Bare(WriterMessage.of(schema, messageName, SchemaOrigin.NONE)), null);
        } catch (SchemaException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
    }

    /** As {@link #ofText(String, Map, String)}, without imports of one's own. */
    public static ArrowTable ofText(String schemaText, String messageName) {
        return ofText(schemaText, Map.of(), messageName);
    }

    /**
     * A table of records as Confluent's serializer frames them. Each is read with the schema that
     * its frame names, records without frame with the subject's latest. The columns are those of
     * the latest; all are nullable, as other schemas of the subject may lack them.
     *
     * @param urls of the registry, separated by commas
     * @param properties of the client, under the names that Confluent's has
     */
    public static ArrowTable ofRegistry(
            String urls, Map<String, String> properties, String subject) {
        RegistryConfig config = RegistryConfig.of(urls, properties);
        ReaderSchema latest = new ReaderSchema.Builder().subject(subject).build();
        SchemaChoice choice = new SchemaChoice(subject, latest, false, true, null);
        return new ArrowTable(new Framed(new RegistrySchemaProvider(config, choice)), null);
    }

    /** The same records with these columns, which are found in the message by name. */
    public ArrowTable columns(RowType wanted) {
        return new ArrowTable(source, wanted);
    }

    /**
     * Opens a decoder.
     *
     * @throws IllegalArgumentException if the columns do not fit the message, or none can be
     *     inferred from it: the schema is cyclic, or has a group
     * @throws IOException if the registry does not answer
     * @throws dev.sluice.flink.bridge.NativeUnavailableException if there is no native library
     */
    public ArrowBatchDecoder decoder() throws IOException {
        WriterSchemaProvider.Open schemas = source.open();
        boolean isOpen = false;
        try {
            byte[] resolved = source.message(schemas).resolved();
            ArrowBatchDecoder decoder = new ArrowBatchDecoder(plan(resolved), resolved, schemas);
            isOpen = true;
            return decoder;
        } catch (PlanRefusedException e) {
            throw refused(e);
        } finally {
            if (!isOpen) {
                schemas.close();
            }
        }
    }

    /**
     * Opens an encoder of the table's message.
     *
     * @param header the bytes of each record before its message: empty, or {@link #frame}
     * @throws IllegalArgumentException if the columns cannot be written as the message
     * @throws IOException if the registry does not answer
     * @throws dev.sluice.flink.bridge.NativeUnavailableException if there is no native library
     */
    public ArrowBatchEncoder encoder(byte[] header) throws IOException {
        try (WriterSchemaProvider.Open schemas = source.open()) {
            byte[] resolved = source.message(schemas).resolved();
            return new ArrowBatchEncoder(plan(resolved), resolved, header);
        } catch (PlanRefusedException e) {
            throw refused(e);
        }
    }

    /** The frame of records with this schema id that hold the file's first message. */
    public static byte[] frame(int schemaId) {
        return FrameHeader.of(schemaId, new int[] {0});
    }

    private static IllegalArgumentException refused(PlanRefusedException e) {
        String path = e.failure().getFieldPath();
        return new IllegalArgumentException(
                e.getMessage() + (path.isEmpty() ? "" : " (field " + path + ")"), e);
    }

    private byte[] plan(byte[] resolved) throws IOException, PlanRefusedException {
        PlanBuilder plan = planOf(resolved).unframedRecords(UnframedRecords.LATEST);
        if (source.framing() == Framing.BARE) {
            plan.message(ResolvedSchema.parseFrom(resolved), null);
        }
        return plan.build();
    }

    private PlanBuilder planOf(byte[] resolved) throws IOException, PlanRefusedException {
        if (columns != null) {
            return new PlanBuilder(columns, Profile.CONFLUENT, source.framing());
        }
        byte[] row = NativeBatchDecoder.inferRowType(resolved);
        if (source.framing() == Framing.REGISTRY) {
            row = InferredRow.nullableColumns(row);
        }
        return PlanBuilder.ofRow(row, Profile.CONFLUENT, source.framing());
    }

    private static final class Bare implements Source {
        private final WriterMessage message;

        Bare(WriterMessage message) {
            this.message = message;
        }

        @Override
        public Framing framing() {
            return Framing.BARE;
        }

        @Override
        public WriterSchemaProvider.Open open() throws IOException {
            return NoWriterSchemas.INSTANCE.open();
        }

        @Override
        public WriterMessage message(WriterSchemaProvider.Open schemas) {
            return message;
        }
    }

    private static final class Framed implements Source {
        private final WriterSchemaProvider registry;

        Framed(WriterSchemaProvider registry) {
            this.registry = registry;
        }

        @Override
        public Framing framing() {
            return Framing.REGISTRY;
        }

        @Override
        public WriterSchemaProvider.Open open() throws IOException {
            return registry.open();
        }

        @Override
        public WriterMessage message(WriterSchemaProvider.Open schemas)
                throws RecordException, IOException {
            return schemas.resolveUnframed();
        }
    }
}
