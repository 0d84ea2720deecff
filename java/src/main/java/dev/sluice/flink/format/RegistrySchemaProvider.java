package dev.sluice.flink.format;

import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.SchemaStore;

/** Writer schemas from a schema registry. */
public final class RegistrySchemaProvider implements WriterSchemaProvider {

    private static final long serialVersionUID = 1L;

    private final RegistryConfig config;

    public RegistrySchemaProvider(RegistryConfig config) {
        this.config = config;
    }

    @Override
    public Open open() {
        return new RegistryWriterSchemas(SchemaStore.open(config), "");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RegistrySchemaProvider
                && config.equals(((RegistrySchemaProvider) other).config);
    }

    @Override
    public int hashCode() {
        return config.hashCode();
    }

    @Override
    public String toString() {
        return config.toString();
    }
}
