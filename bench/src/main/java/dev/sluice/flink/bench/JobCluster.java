package dev.sluice.flink.bench;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.table.catalog.GenericInMemoryCatalog;
import org.apache.flink.table.factories.Factory;
import org.apache.flink.table.types.logical.RowType;

import java.util.Optional;
import java.util.stream.Collectors;

/** A cluster in this JVM, for SQL jobs of one slot after another. */
final class JobCluster {
    private JobCluster() {}

    /**
     * Starts one, and opens a session with it.
     *
     * @param factory makes the tables that are its kind, sources or sinks, whatever connector they
     *     name; all others come from where Flink finds them
     */
    @SuppressWarnings("deprecation") // a catalog by its descriptor is made elsewhere, without ours
    static TableEnvironment open(Factory factory) throws Exception {
        Configuration settings = new Configuration();
        settings.setString("execution.target", "remote");
        settings.setString("rest.address", "localhost");
        settings.setString("rest.port", Integer.toString(start()));
        settings.setString("parallelism.default", "1");
        TableEnvironment tables =
                TableEnvironment.create(
                        EnvironmentSettings.newInstance()
                                .inStreamingMode()
                                .withConfiguration(settings)
                                .build());
        tables.registerCatalog(
                "bench",
                new GenericInMemoryCatalog("bench") {
                    @Override
                    public Optional<Factory> getFactory() {
                        return Optional.of(factory);
                    }
                });
        tables.useCatalog("bench");
        return tables;
    }

    /** The columns of such rows, as in {@code CREATE TABLE}. */
    static String columns(RowType row) {
        return row.getFields().stream()
                .map(field -> "`" + field.getName() + "` " + field.getType().asSerializableString())
                .collect(Collectors.joining(", "));
    }

    private static int start() throws Exception {
        Configuration settings = new Configuration();
        settings.setString("rest.bind-address", "localhost");
        settings.setString("rest.bind-port", "0");
        settings.setString("taskmanager.memory.managed.size", "64m");
        settings.setString("taskmanager.memory.network.min", "32m");
        settings.setString("taskmanager.memory.network.max", "32m");
        settings.setString("metrics.reporters", "polled");
        settings.setString(
                "metrics.reporter.polled.factory.class", PolledShare.Factory.class.getName());
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(settings)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(2)
                                .build());
        cluster.start();
        return cluster.getRestAddress().get().getPort();
    }
}
