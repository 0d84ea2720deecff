package dev.sluice.flink.it.server;

import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.io.Writer;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * One Kafka broker inside the tests' JVM, on loopback, in KRaft mode.
 *
 * <p>The broker lives in a class loader whose parent is the platform's: it needs a newer
 * kafka-clients, Jackson and slf4j than the Flink line under test has on the class path. So it is
 * driven by reflection and reached by the network only. It ends with the JVM.
 */
public final class KafkaBroker {
    private static KafkaBroker shared;

    private final String bootstrapServers;

    private KafkaBroker(String bootstrapServers) {
        this.bootstrapServers = bootstrapServers;
    }

    /** The broker of this JVM, started by the first call. */
    public static synchronized KafkaBroker shared() {
        if (shared == null) {
            try {
                shared = start();
            } catch (IOException | ReflectiveOperationException e) {
                throw new IllegalStateException("the broker did not start", e);
            }
        }
        return shared;
    }

    public String bootstrapServers() {
        return bootstrapServers;
    }

    private static KafkaBroker start() throws IOException, ReflectiveOperationException {
        Path folder = Files.createTempDirectory("sluice-broker");
        String listener = "127.0.0.1:" + Ports.free();
        Properties settings = settings(folder, listener, "127.0.0.1:" + Ports.free());
        ClassLoader caller = Thread.currentThread().getContextClassLoader();
        ClassLoader loader = loader();
        Thread.currentThread().setContextClassLoader(loader);
        try {
            format(loader, folder, settings);
            Object server = server(loader, settings);
            Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server, folder)));
            server.getClass().getMethod("startup").invoke(server);
        } finally {
            Thread.currentThread().setContextClassLoader(caller);
        }
        return new KafkaBroker(listener);
    }

    private static ClassLoader loader() throws IOException {
        List<URL> jars = new ArrayList<>();
        for (String jar : System.getProperty("broker.class.path").split(File.pathSeparator)) {
            jars.add(Path.of(jar).toUri().toURL());
        }
        return new URLClassLoader(
                "broker", jars.toArray(new URL[0]), ClassLoader.getPlatformClassLoader());
    }

    private static Properties settings(Path folder, String listener, String controller) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@" + controller);
        settings.put("listeners", "PLAINTEXT://" + listener + ",CONTROLLER://" + controller);
        settings.put("advertised.listeners", "PLAINTEXT://" + listener);
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("inter.broker.listener.name", "PLAINTEXT");
        settings.put("log.dirs", folder.resolve("logs").toString());
        settings.put("auto.create.topics.enable", "false");
        // Tests choose the timestamps of their records; by default old ones are soon deleted.
        settings.put("log.retention.ms", "-1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("transaction.state.log.num.partitions", "1");
        settings.put("transaction.state.log.replication.factor", "1");
        settings.put("transaction.state.log.min.isr", "1");
        settings.put("log.cleaner.dedupe.buffer.size", "8388608");
        return settings;
    }

    private static void format(ClassLoader loader, Path folder, Properties settings)
            throws IOException, ReflectiveOperationException {
        Path file = folder.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings.store(writer, null);
        }
        String cluster = kafkaUuid(UUID.randomUUID());
        ByteArrayOutputStream said = new ByteArrayOutputStream();
        Object code =
                loader.loadClass("kafka.tools.StorageTool")
                        .getMethod("execute", String[].class, PrintStream.class)
                        .invoke(
                                null,
                                // One argument: an id may begin with a dash.
                                new String[] {
                                    "format", "--cluster-id=" + cluster, "-c", file.toString()
                                },
                                new PrintStream(said, true, StandardCharsets.UTF_8));
        if (!code.equals(0)) {
            throw new IOException("formatting failed: " + said.toString(StandardCharsets.UTF_8));
        }
    }

    /** Kafka writes a UUID as URL-safe base64 without padding. */
    private static String kafkaUuid(UUID uuid) {
        byte[] bytes =
                ByteBuffer.allocate(16)
                        .putLong(uuid.getMostSignificantBits())
                        .putLong(uuid.getLeastSignificantBits())
                        .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private static Object server(ClassLoader loader, Properties settings)
            throws ReflectiveOperationException {
        Class<?> config = loader.loadClass("kafka.server.KafkaConfig");
        Class<?> time = loader.loadClass("org.apache.kafka.common.utils.Time");
        Object parsed =
                config.getMethod("fromProps", Properties.class, boolean.class)
                        .invoke(null, settings, false);
        return loader.loadClass("kafka.server.KafkaRaftServer")
                .getConstructor(config, time)
                .newInstance(parsed, time.getField("SYSTEM").get(null));
    }

    private static void stop(Object server, Path folder) {
        try {
            server.getClass().getMethod("shutdown").invoke(server);
            server.getClass().getMethod("awaitShutdown").invoke(server);
            try (Stream<Path> files = Files.walk(folder)) {
                files.sorted(Comparator.reverseOrder()).map(Path::toFile).forEach(File::delete);
            }
        } catch (IOException | ReflectiveOperationException e) {
            System.err.println("the broker did not stop cleanly: " + e);
        }
    }
}
