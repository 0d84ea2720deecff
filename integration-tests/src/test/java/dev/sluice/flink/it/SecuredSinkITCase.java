package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.testregistry.Secret;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.Test;

/**
 * Writing with a registry that asks who is there; {@link RegistrySecurityITCase} has all ways in.
 */
class SecuredSinkITCase {
    private static final String CLIENT = "flink";
    private static final String RIGHT = Secret.WORD + "-right";
    private static final String WRONG = Secret.WORD + "-wrong";
    private static final String INSERT = "INSERT INTO t VALUES (9)";

    @Test
    void registersWithTheRightPasswordAndShowsNone() throws Exception {
        Topic topic = Topic.create("secured-sink");
        try (TestRegistry registry = TestRegistry.start()) {
            registry.requireBasic(CLIENT, RIGHT);
            Sql refused = table(topic, registry, WRONG);
            Throwable failure = catchThrowable(() -> refused.insert(INSERT));
            String text = ExceptionUtils.stringifyException(failure);
            assertThat(text.contains("HTTP 401") && text.contains(registry.url()))
                    .as("the reason is told")
                    .isTrue();
            assertNoSecret(text);
            assertThat(topic.count()).isZero();

            Sql sql = table(topic, registry, RIGHT);
            sql.insert(INSERT);
            assertNoSecret(sql.rows("EXPLAIN " + INSERT).toString());
            assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[9]");
        }
    }

    private static Sql table(Topic topic, TestRegistry registry, String password) {
        return ConfluentTable.over(topic, "id BIGINT", registry.url())
                .with("auto-register-schemas", "true")
                .with("properties.basic.auth.credentials.source", "USER_INFO")
                .with("properties.basic.auth.user.info", CLIENT + ":" + password)
                .create();
    }

    /** Does not repeat the text: what a red test prints would itself be a leak. */
    private static void assertNoSecret(String text) {
        assertThat(Secret.isIn(text)).as("a secret is shown").isFalse();
    }
}
