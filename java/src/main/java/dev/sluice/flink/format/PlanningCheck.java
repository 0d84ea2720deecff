package dev.sluice.flink.format;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.table.api.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * Compares the columns of a table with the schema that its records will probably have, while the
 * table is planned.
 *
 * <p>A topic may hold other versions, and other messages of the same file. So a column that the
 * schema lacks is only told of, and of several messages the one counts that has most of the
 * columns; what cannot be read from it is refused. Whatever is not seen here is seen by the task.
 */
final class PlanningCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PlanningCheck.class);

    /** More messages than a table is written for; each costs a compilation for each column. */
    private static final int MESSAGES_MAX = 200;

    private final RegistrySchemaProvider schemas;
    private final PlanningMode mode;
    private final Plan plan;

    /**
     * @param plan without metadata columns
     */
    PlanningCheck(RegistrySchemaProvider schemas, PlanningMode mode, Plan plan) {
        this.schemas = schemas;
        this.mode = mode;
        this.plan = plan;
    }

    /**
     * The schemas for the job: with the id that the latest schema has now, if it was asked for.
     *
     * @throws ValidationException if a column cannot be read; with {@link PlanningMode#TRUE} also
     *     if the registry does not answer
     */
    RegistrySchemaProvider run() {
        ReaderSchema reader = schemas.choice().reader();
        if (reader.hasText()) {
            compare(ofText(reader), reader);
            return schemas;
        }
        if (mode == PlanningMode.FALSE || !reader.exists()) {
            return schemas;
        }
        LinkedSchema schema = ask(reader);
        if (schema == null) {
            return schemas;
        }
        compare(schema.schema(), reader);
        boolean pins = reader.isLatest() && schema.origin().id().isPresent();
        return pins ? schemas.withChoice(pinned(reader, schema)) : schemas;
    }

    private SchemaChoice pinned(ReaderSchema reader, LinkedSchema schema) {
        return schemas.choice().withReader(reader.pinned(schema.origin().id().getAsInt()));
    }

    private static WriterSchema ofText(ReaderSchema reader) {
        try {
            return reader.ofText().schema();
        } catch (SchemaException e) {
            throw new ValidationException("Option 'schema': " + e.getMessage(), e);
        }
    }

    /** The schema, or null if there is none to compare with. */
    private LinkedSchema ask(ReaderSchema reader) {
        RegistryConfig config = schemas.config();
        try (SchemaStore store =
                SchemaStore.open(mode == PlanningMode.AUTO ? config.forPlanning() : config)) {
            return reader.fetch(store, false);
        } catch (RegistryException e) {
            if (e.kind() == RegistryException.Kind.NOT_FOUND && reader.isLatest()) {
                LOG.info("columns are not compared with a schema: {}", e.getMessage());
                return null;
            }
            return unknown(e);
        } catch (SchemaException | IllegalArgumentException e) {
            return unknown(e); // the latter: files of TLS that only the tasks have
        }
    }

    private LinkedSchema unknown(Exception why) {
        if (mode == PlanningMode.TRUE) {
            throw new ValidationException(
                    "Option 'validate-at-planning' is true, but there is nothing to compare the"
                            + " columns with: "
                            + why.getMessage(),
                    why);
        }
        LOG.warn("columns are compared with the schema by the task only: {}", why.getMessage());
        return null;
    }

    private void compare(WriterSchema schema, ReaderSchema reader) {
        List<ColumnFit> fits = new ArrayList<>();
        for (Descriptor message : candidates(schema, reader)) {
            fits.add(ColumnFit.of(plan, message));
        }
        if (fits.isEmpty()) {
            LOG.warn("{} has no message {}", reader, reader.message());
            return;
        }
        int most = fits.stream().mapToInt(ColumnFit::found).max().getAsInt();
        List<ColumnFit> best =
                fits.stream().filter(fit -> fit.found() == most).collect(Collectors.toList());
        ColumnFit chosen =
                best.stream()
                        .filter(fit -> fit.mismatch() == null)
                        .findFirst()
                        .orElseGet(() -> best.get(0));
        if (chosen.mismatch() != null) {
            throw new ValidationException(
                    String.format(
                            "The columns do not fit %s: %s",
                            reader, chosen.mismatch().getMessage()),
                    chosen.mismatch());
        }
        for (String column : chosen.lacking()) {
            LOG.warn(
                    "column {} is NULL unless another version has it: message {} of {} has no such"
                            + " field",
                    column,
                    chosen.messageName(),
                    reader);
        }
    }

    private static List<Descriptor> candidates(WriterSchema schema, ReaderSchema reader) {
        if (reader.message() == null) {
            return schema.messages().stream().limit(MESSAGES_MAX).collect(Collectors.toList());
        }
        try {
            return List.of(schema.descriptor(reader.message()));
        } catch (SchemaException e) {
            return List.of();
        }
    }
}
