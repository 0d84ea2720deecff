package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.sluice.flink.it.server.FlinkCluster;
import dev.sluice.flink.it.server.Ports;
import dev.sluice.flink.it.server.Registry;

import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Records that must not become rows: each fails its job with one exception that says what is known
 * about the place, and leaves the cluster able to run the next job.
 */
class RefusedRecordsITCase {
    private static final String SCHEMA =
            "syntax = 'proto3'; package shop.v1; message Order { int64 id = 1; Buyer buyer = 2;"
                    + " repeated Line line = 3; } message Buyer { string name = 1; }"
                    + " message Line { string sku = 1; int32 count = 2; }";
    private static final String COLUMNS =
            "id BIGINT, buyer ROW<name STRING>, line ARRAY<ROW<sku STRING, `count` INT>>";
    private static final int UNKNOWN_ID = 987_654;
    // The client gets exceptions of a job with the class name in front.
    private static final Pattern REFUSAL =
            Pattern.compile("(dev\\.sluice\\.[\\w.]+: )?\\[[a-z0-9-]+ \\d{3}\\] ");

    private static ProtoFile file;

    /** Registered under no topic's subject: nothing can be read without a frame. */
    @BeforeAll
    static void registerTheSchema() {
        file = ProtoFile.of("order.proto", SCHEMA).register("refused");
    }

    private static Sql table(Topic topic, String url) {
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent',"
                                + " 'value.proto-confluent.url' = '%s',"
                                + " 'value.proto-confluent.topic' = '%s')",
                        COLUMNS, topic.source(), url, topic.name()));
        return sql;
    }

    /** What is wrong; the record; what the exception's message holds, in this order. */
    static Stream<Arguments> records() {
        return Stream.of(
                arguments("a first byte that is no magic byte", hex("020000000100"), badFrame()),
                arguments("JSON text", "{\"id\":1}".getBytes(StandardCharsets.UTF_8), badFrame()),
                arguments("an empty value", hex(""), badFrame()),
                arguments("a schema id that is cut", hex("000000"), badFrame()),
                arguments("a GUID that is cut", hex("0100112233"), badFrame()),
                arguments("no message indexes", after(""), badFrame()),
                arguments("message indexes that are cut", after("0402"), badFrame()),
                arguments("a varint of six bytes", after("808080808001"), badFrame()),
                arguments("a negative count", after("01"), badFrame()),
                arguments("a huge count", after("feffffff0f"), badFrame()),
                arguments("a negative index", after("0201"), place("unknown-message-index 202")),
                arguments("an index too high", after("0206"), place("unknown-message-index 202")),
                arguments(
                        "a message that is cut",
                        after("00" + "1a060a04746561"),
                        place("truncated 101", "message shop.v1.Order", "field line", "byte ")),
                arguments(
                        "text that is cut inside a nested message",
                        after("00" + "1a030a0474"),
                        place(
                                "truncated 101",
                                "message shop.v1.Order",
                                "field line[].sku",
                                "byte ")),
                arguments(
                        "text that is no UTF-8",
                        after("00" + "12030a01ff"),
                        place(
                                "invalid-utf8 106",
                                "message shop.v1.Order",
                                "field buyer.name",
                                "byte ")),
                arguments(
                        "an id that the registry does not know",
                        Frames.afterId(UNKNOWN_ID, "00"),
                        List.of("[schema-not-found 502]", "schema id " + UNKNOWN_ID)));
    }

    private static byte[] hex(String digits) {
        return HexFormat.of().parseHex(digits);
    }

    /** What stands behind the id of the registered schema. */
    private static byte[] after(String hex) {
        return Frames.afterId(file.id(), hex);
    }

    private static List<String> badFrame() {
        return List.of("[bad-frame 201]", "byte ");
    }

    private static List<String> place(String code, String... parts) {
        List<String> all = new ArrayList<>(List.of("[" + code + "]", "schema id " + file.id()));
        all.addAll(List.of(parts));
        return all;
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("records")
    void aRecordIsRefusedByOneExceptionThatTellsThePlace(
            String what, byte[] record, List<String> parts) {
        Topic topic = Topic.create("refused");
        topic.send(record);

        assertThat(refusal(table(topic, Registry.shared().url()))).containsSubsequence(parts);
    }

    @Test
    void aRegistryThatIsDownFailsTheRecordWithItsUrlAndTheCause() {
        String down = "127.0.0.1:" + Ports.free();
        Topic topic = Topic.create("down");
        topic.send(file.record("Order", "id: 1"));

        assertThat(refusal(table(topic, "http://user:s3cret@" + down)))
                .contains("[registry-unreachable 505]", "http://" + down, "schema id " + file.id())
                .doesNotContain("s3cret");
    }

    /** After all of them: the same cluster reads good records. */
    @AfterAll
    static void theClusterStillReads() throws Exception {
        Topic topic = Topic.create("good");
        topic.send(file.record("Order", "id: 7 line { sku: 'tea' count: 2 }"));

        assertThat(FlinkCluster.shared().isRunning()).isTrue();
        assertThat(table(topic, Registry.shared().url()).rows("SELECT * FROM t"))
                .containsExactly("+I[7, null, [+I[tea, 2]]]");
    }

    /** Messages of the format's own exceptions among the causes of the failed query. */
    private static String refusal(Sql sql) {
        List<String> refusals = new ArrayList<>();
        Throwable failure = catchThrowable(() -> sql.rows("SELECT * FROM t"));
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String text = String.valueOf(cause.getMessage());
            if (REFUSAL.matcher(text).lookingAt()) {
                refusals.add(text);
            }
        }
        assertThat(refusals).as(() -> ExceptionUtils.stringifyException(failure)).hasSize(1);
        return refusals.get(0);
    }
}
