package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.it.server.Registry;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Arrays;
import java.util.Map;

/** INSERTs that must not write: each fails by a named cause, with no record in the topic. */
class UnwrittenJobsITCase {
    private static final String ORDER =
            "syntax = \"proto3\"; package shop.v1; message Order { int64 id = 1; string note = 2;"
                    + " }";
    private static final Fault PASS = Fault.slow(Duration.ZERO);

    private final Topic topic = Topic.create("unwritten");
    private final String subject = topic.name() + "-value";

    private ConfluentTable table(String columns, String url) {
        return ConfluentTable.over(topic, columns, url).with("properties.max.retries", "0");
    }

    private void assertNotWritten(ConfluentTable table, String... reasons) {
        assertNotWritten(table.create(), "(1, 'x')", reasons);
    }

    private void assertNotWritten(Sql sql, String row, String... reasons) {
        Throwable failure = catchThrowable(() -> sql.insert("INSERT INTO t VALUES " + row));
        assertThat(failure).isNotNull();
        assertThat(ExceptionUtils.stringifyException(failure)).contains(reasons);
        assertThat(topic.count()).isZero();
    }

    @Test
    void aColumnWithoutFieldIsNamed() {
        Registry.shared().register(subject, ORDER, Map.of());

        assertNotWritten(
                table("id BIGINT, nota STRING", Registry.shared().url()),
                "shop.v1.Order has no field nota");
        assertNotWritten(
                table("id BIGINT, nota STRING", Registry.shared().url())
                        .with("validate-at-planning", "false"),
                "shop.v1.Order has no field nota");
        assertThat(Registry.shared().versionCount(subject)).isEqualTo(1);
    }

    @Test
    void aSubjectWithoutSchemaIsNamed() {
        assertNotWritten(
                table("id BIGINT, note STRING", Registry.shared().url()),
                "Subject '" + subject + "' has no schema",
                "'auto-register-schemas'");
    }

    @Test
    void aChangeThatTheRegistryRefusesIsTold() {
        Registry.shared().register(subject, ORDER.replace("string note", "bool note"), Map.of());
        Registry.shared().requireCompatible(subject, "BACKWARD");

        assertNotWritten(
                table("id BIGINT, note STRING", Registry.shared().url())
                        .with("auto-register-schemas", "true")
                        .with("message-name", "shop.v1.Order"),
                "409",
                "'" + subject + "'");
        assertThat(Registry.shared().versionCount(subject)).isEqualTo(1);
    }

    @Test
    void aReadOnlyRegistryIsTold() throws Exception {
        try (TestRegistry registry = TestRegistry.start()) {
            registry.failAlways(
                    Fault.body(
                            422,
                            "{\"error_code\":42205,\"message\":\"Subject "
                                    + subject
                                    + " is in read-only mode\"}"));

            assertNotWritten(
                    table("id BIGINT, note STRING", registry.url())
                            .with("auto-register-schemas", "true"),
                    "Subject " + subject + " is in read-only mode");
        }
    }

    /** It answers as long as the job is planned, and then no more. */
    @Test
    void aRegistryThatDiesBeforeTheTasksOpenFailsTheJob() throws Exception {
        try (TestRegistry registry = TestRegistry.start()) {
            registry.register(subject, Submission.protobuf(ORDER));
            Sql sql =
                    table("id BIGINT, note STRING", registry.url())
                            .with("message-name", "shop.v1.Order")
                            .create();
            String insert = "EXPLAIN INSERT INTO t VALUES (1, 'x')";
            sql.rows(insert); // what is cached from now on is not asked for again
            int before = registry.requests().size();
            sql.rows(insert);
            int planned = registry.requests().size() - before;
            assertThat(planned).isPositive();
            Fault[] faults = new Fault[planned + 100];
            Arrays.fill(faults, Fault.cut());
            Arrays.fill(faults, 0, planned, PASS);
            registry.failNext(faults);

            assertNotWritten(sql, "(1, 'x')", registry.url());
        }
    }
}
