package dev.sluice.flink.format;

import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.SchemaStore;

import java.util.Objects;

/** Writer schemas from a schema registry. */
public final class RegistrySchemaProvider implements WriterSchemaProvider {

    private static final long serialVersionUID = 1L;

    private final RegistryConfig config;
    private final SchemaChoice choice;

    public RegistrySchemaProvider(RegistryConfig config, SchemaChoice choice) {
        this.config = config;
        this.choice = choice;
    }

    @Override
    public Open open() {
        RegistryWriterSchemas schemas = new RegistryWriterSchemas(SchemaStore.open(config), choice);
        try {
            schemas.settleReader();
        } catch (RuntimeException | Error e) {
            schemas.close();
            throw e;
        }
        return schemas;
    }

    /**
     * The schemas for a job that reads these columns, once the columns were compared with the
     * schema that its records will probably have, as far as {@code mode} asks for that.
     *
     * @param columns what is read, without metadata
     * @throws org.apache.flink.table.api.ValidationException if a column cannot be read
     */
    public RegistrySchemaProvider compared(PlanBuilder columns, PlanningMode mode) {
        return new PlanningCheck(this, mode, columns.plan()).run();
    }

    RegistryConfig config() {
        return config;
    }

    SchemaChoice choice() {
        return choice;
    }

    RegistrySchemaProvider withChoice(SchemaChoice other) {
        return new RegistrySchemaProvider(config, other);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegistrySchemaProvider
                && config.equals(((RegistrySchemaProvider) other).config)
                && choice.equals(((RegistrySchemaProvider) other).choice);
    }

    @Override
    public int hashCode() {
        return Objects.hash(config, choice);
    }

    /** The registry without secrets. */
    @Override
    public String toString() {
        return config.toString();
    }
}
