package dev.sluice.flink.bench;

import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * A Kafka broker on loopback in a process of its own, so that its work is not in the times of this
 * one. It ends with this process.
 */
final class KafkaBroker implements AutoCloseable {
    private static final Path CLASS_PATH = Path.of("bench", "build", "broker-class-path");
    private static final Path FOLDER = Path.of("build", "bench", "broker");

    private final String address;
    private final Process process;

    private KafkaBroker(String address, Process process) {
        this.address = address;
        this.process = process;
    }

    static KafkaBroker start() throws IOException {
        delete();
        Files.createDirectories(FOLDER);
        String address = "127.0.0.1:" + freePort();
        Path file = FOLDER.resolve("server.properties");
        try (Writer writer = Files.newBufferedWriter(file)) {
            settings(address, "127.0.0.1:" + freePort()).store(writer, null);
        }
        URL own = TetheredBroker.class.getProtectionDomain().getCodeSource().getLocation();
        String classes = Path.of(own.getPath()) + File.pathSeparator + Files.readString(CLASS_PATH);
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-cp",
                                classes,
                                TetheredBroker.class.getName(),
                                file.toString())
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .redirectError(FOLDER.resolve("broker.log").toFile())
                        .start();
        return new KafkaBroker(address, process);
    }

    String address() {
        return address;
    }

    /** Makes a topic of one partition that holds the records over and over. */
    void fill(String topic, byte[][] records, long count) throws Exception {
        Map<String, Object> client = Map.of("bootstrap.servers", address);
        try (Admin admin = Admin.create(client)) { // waits for the broker
            admin.createTopics(List.of(new NewTopic(topic, 1, (short) 1))).all().get();
        }
        ByteArraySerializer bytes = new ByteArraySerializer();
        Map<String, Object> producing =
                Map.of("bootstrap.servers", address, "linger.ms", 20, "batch.size", 256 << 10);
        try (KafkaProducer<byte[], byte[]> producer =
                new KafkaProducer<>(producing, bytes, bytes)) {
            for (long at = 0; at < count; at++) {
                byte[] record = records[(int) (at % records.length)];
                producer.send(new ProducerRecord<>(topic, record));
            }
        } // sends what is left; a record that is lost would be missed by the job
    }

    /** Ends the process, and deletes what it kept. */
    @Override
    public void close() throws Exception {
        process.getOutputStream().close();
        process.waitFor();
        delete();
    }

    private static Properties settings(String listener, String controller) {
        Properties settings = new Properties();
        settings.put("process.roles", "broker,controller");
        settings.put("node.id", "1");
        settings.put("controller.quorum.voters", "1@" + controller);
        settings.put("listeners", "PLAINTEXT://" + listener + ",CONTROLLER://" + controller);
        settings.put("listener.security.protocol.map", "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT");
        settings.put("controller.listener.names", "CONTROLLER");
        settings.put("log.dirs", FOLDER.resolve("logs").toString());
        settings.put("offsets.topic.num.partitions", "1");
        settings.put("offsets.topic.replication.factor", "1");
        settings.put("group.initial.rebalance.delay.ms", "0");
        settings.put("log.cleaner.dedupe.buffer.size", "8388608");
        return settings;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static void delete() throws IOException {
        if (Files.exists(FOLDER)) {
            try (Stream<Path> files = Files.walk(FOLDER)) {
                files.sorted(Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
            }
        }
    }
}
