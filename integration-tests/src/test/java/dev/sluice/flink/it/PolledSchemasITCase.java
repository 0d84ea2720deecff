package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/** A schema id that comes up in the middle of a poll: who asks for it, how often, and when not. */
class PolledSchemasITCase {
    private static final String OLD =
            "syntax = \"proto3\"; package shop.v1; message Order { int64 id = 1; }";
    private static final String NEW = OLD.replace("}", "string name = 2; }");
    private static final int POLL = 10;
    private static final int COUNT = 400;

    /** The first of many records of schema id 8; those before it in its poll have 7. */
    private static final int NEW_FROM = 305;

    /** The task is here before the consumer, which may be a few polls ahead, meets the new id. */
    private static final int LONG_BEFORE = NEW_FROM - 10 * POLL;

    private static final String ASKED = "/schemas/ids/8?";

    private static Topic topic;

    @BeforeAll
    static void fillTheTopic() {
        ProtoFile old = ProtoFile.of("order.proto", OLD);
        ProtoFile young = ProtoFile.of("order.proto", NEW);
        List<byte[]> records = new ArrayList<>();
        for (int id = 1; id <= COUNT; id++) {
            records.add(
                    id < NEW_FROM
                            ? Frames.framed(7, new int[] {0}, old.bytes("Order", "id: " + id))
                            : Frames.framed(
                                    8,
                                    new int[] {0},
                                    young.bytes("Order", "id: " + id + " name: 'new'")));
        }
        topic = Topic.create("polled-schemas");
        topic.send(records.toArray(byte[][]::new));
    }

    private static TestRegistry registry() throws Exception {
        TestRegistry registry = TestRegistry.start();
        registry.put("orders-value", 7, Submission.protobuf(OLD));
        registry.put("orders-value", 8, Submission.protobuf(NEW));
        return registry;
    }

    private static Sql table(TestRegistry registry) {
        return ConfluentTable.over(topic, "id BIGINT, name STRING", registry.url())
                .with("properties.max.retries", "0")
                .inPolls(POLL)
                .create();
    }

    private static long asked(TestRegistry registry) {
        return registry.targets().stream().filter(target -> target.startsWith(ASKED)).count();
    }

    private static List<String> allRows() {
        return LongStream.rangeClosed(1, COUNT)
                .mapToObj(id -> "+I[" + id + ", " + (id < NEW_FROM ? null : "new") + "]")
                .collect(Collectors.toList());
    }

    /** Looks who waits for an answer of the registry once it was asked for the new id. */
    private static final class Watch extends Thread implements AutoCloseable {
        private static final String ASKS = "dev.sluice.flink.format.RegistryWriterSchemas.resolve";

        private final Set<String> waiting = ConcurrentHashMap.newKeySet();
        private final TestRegistry registry;
        private volatile boolean isOver;

        Watch(TestRegistry registry) {
            super("watch");
            this.registry = registry;
            start();
        }

        @Override
        public void run() {
            try {
                while (!isOver) {
                    Thread.sleep(5);
                    if (asked(registry) > 0) {
                        Thread.getAllStackTraces().forEach(this::look);
                    }
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private void look(Thread thread, StackTraceElement[] stack) {
            for (StackTraceElement frame : stack) {
                if (ASKS.equals(frame.getClassName() + "." + frame.getMethodName())) {
                    waiting.add(thread.getName());
                }
            }
        }

        @Override
        public void close() throws InterruptedException {
            isOver = true;
            join();
        }
    }

    @Test
    void aNewSchemaIdIsAskedForOnceAndByTheConsumersThread() throws Exception {
        try (TestRegistry registry = registry();
                Watch watch = new Watch(registry)) {
            registry.failAlways(Fault.slow(Duration.ofMillis(300)));

            assertThat(table(registry).rows("SELECT id, name FROM t"))
                    .containsExactlyElementsOf(allRows());
            assertThat(asked(registry)).isEqualTo(1);
            assertThat(watch.waiting)
                    .hasSize(1)
                    .allSatisfy(name -> assertThat(name).startsWith("Source Data Fetcher"));
        }
    }

    @Test
    void aRegistryThatFailsFailsTheJobAtTheTurnOfTheRecord() throws Exception {
        try (TestRegistry registry = registry()) {
            Map<Long, Boolean> seen = new ConcurrentHashMap<>();
            Sql sql = table(registry);
            String id =
                    OnRow.call(
                            sql,
                            one -> {
                                seen.put(one, true);
                                if (one == LONG_BEFORE) {
                                    assertThat(asked(registry)).isZero();
                                    registry.failAlways(Fault.error(500, 50001));
                                }
                            });

            assertThatThrownBy(() -> sql.rows("SELECT " + id + ", name FROM t"))
                    .hasStackTraceContaining("[registry-unreachable 505]");
            assertThat(seen.keySet())
                    .containsExactlyInAnyOrderElementsOf(
                            LongStream.range(1, NEW_FROM).boxed().collect(Collectors.toList()));
        }
    }

    @Test
    void aRegistryThatIsBackInTimeIsAskedAgain() throws Exception {
        try (TestRegistry registry = registry()) {
            Sql sql = table(registry);
            String id =
                    OnRow.call(
                            sql,
                            one -> {
                                if (one == LONG_BEFORE) {
                                    registry.failNext(Fault.error(500, 50001));
                                }
                            });

            assertThat(sql.rows("SELECT " + id + ", name FROM t"))
                    .containsExactlyElementsOf(allRows());
            assertThat(asked(registry)).isEqualTo(2);
        }
    }
}
