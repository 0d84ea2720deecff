package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.FlinkCluster;

import org.apache.flink.runtime.util.EnvironmentInformation;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;

/** The ground the other tests stand on, shown with a format that Flink ships. */
class ServersITCase {
    @Test
    void theClassPathHoldsTheFlinkLineUnderTest() {
        assertThat(EnvironmentInformation.getVersion())
                .startsWith("flink1".equals(System.getProperty("flink.line")) ? "1.20" : "2.");
    }

    @Test
    void flinkReadsWhatIsInATopicAndEnds() throws Exception {
        Topic topic = Topic.create("json");
        topic.send(
                "{\"id\":1,\"name\":\"a\"}".getBytes(StandardCharsets.UTF_8),
                "{\"id\":2,\"name\":\"b\"}".getBytes(StandardCharsets.UTF_8));
        Sql sql = new Sql();
        sql.run(
                "CREATE TABLE t (name STRING, id INT) WITH ("
                        + topic.source()
                        + ", 'value.format' = 'json')");

        assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[a, 1]", "+I[b, 2]");
        assertThat(FlinkCluster.shared().isRunning()).isTrue();
    }

    @Test
    void theRegistryGivesOneIdPerText() {
        ProtoFile money =
                ProtoFile.of(
                        "money.proto", "syntax = \"proto3\"; message Money { int64 units = 1; }");
        ProtoFile order =
                ProtoFile.of(
                        "order.proto",
                        "syntax = \"proto3\"; import \"money.proto\"; message Order { Money total ="
                                + " 1; }",
                        money);

        order.register("servers-value");

        assertThat(order.id()).isPositive().isNotEqualTo(money.id());
        assertThat(order.record("Order", "total { units: 7 }"))
                .isEqualTo(Frames.afterId(order.id(), "000a020807"));
    }
}
