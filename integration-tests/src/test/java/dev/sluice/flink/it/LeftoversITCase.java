package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.it.server.Registry;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestProxy;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** What a job of ours leaves behind in the process of a task manager: nothing. */
class LeftoversITCase {
    private static final String SCHEMA =
            "syntax = \"proto3\"; package shop.v1; message Order { int64 id = 1; }";

    private static final String KINDS = "sluice-registry|HttpClient|kafka-producer";

    private final ProtoFile file = ProtoFile.of("order.proto", SCHEMA);
    private Set<Thread> others;

    /** Other classes have clients of their own: to the real registry, to the broker. */
    @BeforeEach
    void settle() throws Exception {
        Registry.shared();
        awaitCollected(() -> true);
        others = threads();
    }

    /**
     * Threads of the registry's client, of the JDK's HTTP client below it, and of Kafka's producer.
     */
    private static Set<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> thread.getName().matches("(" + KINDS + ").*"))
                .collect(Collectors.toSet());
    }

    /** The kinds of threads that are there besides the others. */
    private Set<String> kinds() {
        Set<Thread> own = threads();
        own.removeAll(others);
        return own.stream()
                .map(thread -> thread.getName().replaceAll("(" + KINDS + ").*", "$1"))
                .collect(Collectors.toSet());
    }

    /** The JDK's HTTP client ends its threads when it is collected. */
    private static void awaitCollected(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        do {
            System.gc();
            Thread.sleep(50);
        } while (!condition.getAsBoolean() && System.nanoTime() < end);
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private void run(boolean fails) throws Exception {
        Topic topic = Topic.create("leftovers");
        Topic dead = Topic.create("deadleftovers");
        topic.send(
                new byte[] {0},
                Frames.framed(7, new int[] {0}, file.bytes("Order", "id: 1")),
                Frames.framed(7, new int[] {0}, file.bytes("Order", "id: 2")));
        try (TestRegistry registry = TestRegistry.start();
                TestProxy toRegistry = TestProxy.start(registry.port());
                TestProxy toBroker = TestProxy.start(brokerPort())) {
            registry.put("orders-value", 7, Submission.protobuf(SCHEMA));
            Sql sql =
                    ConfluentTable.over(topic, "id BIGINT", "http://127.0.0.1:" + toRegistry.port())
                            .skippingTo(dead)
                            .with(
                                    "dead-letter.properties.bootstrap.servers",
                                    "127.0.0.1:" + toBroker.port())
                            .create();
            Set<String> kinds = ConcurrentHashMap.newKeySet();
            int[] connections = new int[2];
            String seen =
                    OnRow.call(
                            sql,
                            id -> {
                                kinds.addAll(kinds());
                                connections[0] = toRegistry.openConnections();
                                connections[1] = toBroker.openConnections();
                                if (fails) {
                                    throw new IllegalStateException("as the test wants it");
                                }
                            });

            Throwable failure = catchThrowable(() -> sql.rows("SELECT " + seen + " FROM t"));
            assertThat(failure != null).isEqualTo(fails);
            assertThat(kinds).containsExactlyInAnyOrder(KINDS.split("\\|"));
            assertThat(connections).doesNotContain(0);
            awaitCollected(() -> kinds().isEmpty());
            awaitCollected(() -> toRegistry.openConnections() + toBroker.openConnections() == 0);
        }
    }

    private static int brokerPort() {
        String servers = KafkaBroker.shared().bootstrapServers();
        return Integer.parseInt(servers.substring(servers.indexOf(':') + 1));
    }

    @Test
    void aJobThatEndsLeavesNoThreadAndNoSocket() throws Exception {
        run(false);
    }

    @Test
    void aJobThatFailsLeavesNoThreadAndNoSocket() throws Exception {
        run(true);
    }
}
