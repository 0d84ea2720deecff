package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Two registries, of which the first is gone from the middle of the job on. */
class RegistryFailoverITCase {
    private static final String FIRST =
            "syntax = \"proto3\"; package shop.v1; message Order { int64 id = 1; }";
    private static final String SECOND = FIRST.replace("}", "string name = 2; }");
    private static final int LAST_BEFORE = 20;
    private static final int COUNT = 60;

    /** How a registry dies. */
    enum Death {
        STOPPED(TestRegistry::close),
        CUTS_CONNECTIONS(registry -> registry.failAlways(Fault.cut())),
        CUTS_ANSWERS(registry -> registry.failAlways(Fault.cutBody())),
        ANSWERS_503(registry -> registry.failAlways(Fault.error(503, 503)));

        private final Consumer<TestRegistry> of;

        Death(Consumer<TestRegistry> of) {
            this.of = of;
        }
    }

    private static Topic topic;

    /** After the row at which the first registry dies, the other schema comes up. */
    @BeforeAll
    static void fillTheTopic() {
        ProtoFile first = ProtoFile.of("order.proto", FIRST);
        ProtoFile second = ProtoFile.of("order.proto", SECOND);
        List<byte[]> records = new ArrayList<>();
        for (int id = 1; id <= COUNT; id++) {
            boolean isNew = id > LAST_BEFORE && id % 2 == 0;
            byte[] message =
                    isNew
                            ? second.bytes("Order", "id: " + id + " name: 'new'")
                            : first.bytes("Order", "id: " + id);
            records.add(Frames.framed(isNew ? 8 : 7, new int[] {0}, message));
        }
        topic = Topic.create("failover");
        topic.send(records.toArray(byte[][]::new));
    }

    private static TestRegistry registry() throws Exception {
        TestRegistry registry = TestRegistry.start();
        registry.put("orders-value", 7, Submission.protobuf(FIRST));
        registry.put("orders-value", 8, Submission.protobuf(SECOND));
        return registry;
    }

    @ParameterizedTest
    @EnumSource
    void noRowIsLostOrDoubled(Death death) throws Exception {
        try (TestRegistry first = registry();
                TestRegistry second = registry()) {
            Sql sql =
                    ConfluentTable.over(
                                    topic,
                                    "id BIGINT, name STRING",
                                    first.url() + "," + second.url())
                            .with("properties.max.retries", "1")
                            .with("properties.retries.wait.ms", "1")
                            .create();
            String seen =
                    OnRow.call(
                            sql,
                            id -> {
                                if (id == LAST_BEFORE) {
                                    assertThat(second.requests()).isEmpty();
                                    death.of.accept(first);
                                }
                            });
            List<String> expected = new ArrayList<>();
            for (int id = 1; id <= COUNT; id++) {
                boolean isNew = id > LAST_BEFORE && id % 2 == 0;
                expected.add("+I[" + id + ", " + (isNew ? "new" : null) + "]");
            }

            assertThat(sql.rows("SELECT " + seen + ", name FROM t"))
                    .containsExactlyElementsOf(expected);
            assertThat(second.targets())
                    .containsExactly(
                            "/schemas/ids/8?fetchMaxId=false&subject=" + topic.name() + "-value");
        }
    }
}
