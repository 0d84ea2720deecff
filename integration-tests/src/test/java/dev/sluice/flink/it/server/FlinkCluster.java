package dev.sluice.flink.it.server;

import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.minicluster.MiniCluster;
import org.apache.flink.runtime.minicluster.MiniClusterConfiguration;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;

/**
 * One MiniCluster for the whole JVM, reached over its REST port: a failed job must leave it able to
 * run the next one, which a cluster per job could not show.
 */
public final class FlinkCluster {
    private static FlinkCluster shared;

    private final MiniCluster cluster;
    private final int restPort;

    private FlinkCluster(MiniCluster cluster, int restPort) {
        this.cluster = cluster;
        this.restPort = restPort;
    }

    /** The cluster of this JVM, started by the first call. */
    public static synchronized FlinkCluster shared() {
        if (shared == null) {
            try {
                shared = start();
            } catch (Exception e) {
                throw new IllegalStateException("the cluster did not start", e);
            }
        }
        return shared;
    }

    /** A table environment of its own, for streaming queries on this cluster. */
    public TableEnvironment tables() {
        return tables(FlinkCluster.class.getClassLoader());
    }

    /**
     * The same for a client that has more classes than the cluster has.
     *
     * @param client the class loader of planning; nothing of it is shipped
     */
    public TableEnvironment tables(ClassLoader client) {
        Configuration settings = new Configuration();
        settings.setString("execution.target", "remote");
        settings.setString("rest.address", "localhost");
        settings.setString("rest.port", Integer.toString(restPort));
        settings.setString("parallelism.default", "1");
        settings.setString("table.local-time-zone", "UTC");
        settings.setString("restart-strategy.type", "none");
        settings.setString("restart-strategy", "none");
        return TableEnvironment.create(
                EnvironmentSettings.newInstance()
                        .inStreamingMode()
                        .withConfiguration(settings)
                        .withClassLoader(client)
                        .build());
    }

    public boolean isRunning() {
        return cluster.isRunning();
    }

    private static FlinkCluster start() throws Exception {
        Configuration settings = new Configuration();
        settings.setString("rest.bind-address", "localhost");
        settings.setString("rest.bind-port", "0");
        settings.setString("taskmanager.memory.managed.size", "64m");
        settings.setString("taskmanager.memory.network.min", "32m");
        settings.setString("taskmanager.memory.network.max", "32m");
        // A cluster that lost its task manager should say so soon; the default is five minutes.
        settings.setString("slot.request.timeout", "20000");
        settings.setString("metrics.reporters", "counts");
        settings.setString(
                "metrics.reporter.counts.factory.class", CountReporterFactory.class.getName());
        MiniCluster cluster =
                new MiniCluster(
                        new MiniClusterConfiguration.Builder()
                                .setConfiguration(settings)
                                .setNumTaskManagers(1)
                                .setNumSlotsPerTaskManager(4)
                                .build());
        cluster.start();
        Runtime.getRuntime().addShutdownHook(new Thread(cluster::closeAsync));
        return new FlinkCluster(cluster, cluster.getRestAddress().get().getPort());
    }
}
