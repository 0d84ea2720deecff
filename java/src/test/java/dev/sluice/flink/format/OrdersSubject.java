package dev.sluice.flink.format;

import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.function.UnaryOperator;

/** A registry of one subject, and tables that read its topic. */
final class OrdersSubject implements AutoCloseable {
    static final String NAME = "orders-value";

    final TestRegistry registry;

    private OrdersSubject(TestRegistry registry) {
        this.registry = registry;
    }

    static OrdersSubject start() throws IOException {
        return new OrdersSubject(TestRegistry.start());
    }

    /** Makes the text the latest schema; its id. */
    int register(String text) {
        return registry.register(NAME, Submission.protobuf(text));
    }

    /** The schemas of a table that says no more than which schema it reads with. */
    RegistrySchemaProvider schemas(UnaryOperator<ReaderSchema.Builder> table) {
        return schemas(table, false, null);
    }

    /**
     * @param all whether framed records are read with that schema too
     * @param lifetime of the latest schema; null for that of the job
     */
    RegistrySchemaProvider schemas(
            UnaryOperator<ReaderSchema.Builder> table, boolean all, Duration lifetime) {
        return new RegistrySchemaProvider(
                RegistryConfig.of(registry.url(), Map.of("max.retries", "0")),
                new SchemaChoice(
                        NAME,
                        table.apply(new ReaderSchema.Builder()).build(),
                        all,
                        true,
                        lifetime));
    }

    @Override
    public void close() {
        registry.close();
    }
}
