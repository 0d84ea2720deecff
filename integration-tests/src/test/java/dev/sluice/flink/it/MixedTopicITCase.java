package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.UUID;

/** Topics whose records differ in frame, in schema and in message. */
class MixedTopicITCase {
    private static final String SCHEMA =
            "syntax = 'proto3'; package shop.v1; message Order { int64 id = 1; string name = 2; }"
                    + " message Refund { int64 id = 1; string reason = 2; }"
                    + " message Visit { string page = 1; int64 id = 9; }";
    private static final String NEWER = SCHEMA.replace("name = 2;", "name = 2; string note = 3;");
    private static final Submission OLD = Submission.protobuf(SCHEMA);
    private static final Submission NEW = Submission.protobuf(NEWER);

    private final ProtoFile file = ProtoFile.of("shop.proto", SCHEMA);
    private final ProtoFile newer = ProtoFile.of("shop.proto", NEWER);
    private TestRegistry registry;
    private Topic topic;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        topic = Topic.create("mixed");
        registry.put(topic.name() + "-value", 7, OLD);
        registry.put(topic.name() + "-value", 8, NEW);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    /** Magic byte 1, GUID, the index of the first message, message (W2). */
    private static byte[] framed(UUID guid, byte[] message) {
        return ByteBuffer.allocate(18 + message.length)
                .put((byte) 1)
                .putLong(guid.getMostSignificantBits())
                .putLong(guid.getLeastSignificantBits())
                .put((byte) 0)
                .put(message)
                .array();
    }

    private static byte[] framed(int id, int index, byte[] message) {
        return Frames.framed(id, new int[] {index}, message);
    }

    @Test
    void schemaIdsGuidsAndRecordsWithoutFrameAreReadInOrder() throws Exception {
        topic.send(
                framed(7, 0, file.bytes("Order", "id: 1 name: 'id'")),
                framed(OLD.guid(), file.bytes("Order", "id: 2 name: 'GUID'")),
                newer.bytes("Order", "id: 3 note: 'raw'"),
                framed(NEW.guid(), newer.bytes("Order", "id: 4 note: 'GUID'")),
                framed(8, 0, newer.bytes("Order", "id: 5 note: 'id'")),
                file.bytes("Order", "id: 6 name: 'raw'"),
                framed(OLD.guid(), file.bytes("Order", "id: 7")));
        Sql sql =
                ConfluentTable.over(
                                topic,
                                "id BIGINT, name STRING, note STRING,"
                                        + " s INT METADATA FROM 'value.schema-id',"
                                        + " g STRING METADATA FROM 'value.schema-guid'",
                                registry.url())
                        .create();

        // A frame names its schema in one way; what a record without frame is read with has both.
        assertThat(sql.rows("SELECT id, name, note, s FROM t WHERE s IS NOT NULL"))
                .contains("+I[1, id, null, 7]", "+I[3, , raw, 8]", "+I[5, , id, 8]")
                .contains("+I[6, raw, , 8]");
        assertThat(sql.rows("SELECT id, name, note FROM t"))
                .containsExactly(
                        "+I[1, id, null]",
                        "+I[2, GUID, null]",
                        "+I[3, , raw]",
                        "+I[4, , GUID]",
                        "+I[5, , id]",
                        "+I[6, raw, ]",
                        "+I[7, , null]");
        assertThat(sql.rows("SELECT id, g FROM t WHERE id IN (2, 4, 7)"))
                .containsExactly(
                        "+I[2, " + OLD.guid() + "]",
                        "+I[4, " + NEW.guid() + "]",
                        "+I[7, " + OLD.guid() + "]");
    }

    @Test
    void threeMessagesAreReadByColumnNameAndTold() throws Exception {
        sendThreeMessages();
        Sql sql =
                ConfluentTable.over(
                                topic,
                                "page STRING, name STRING, id BIGINT, reason STRING,"
                                        + " m STRING METADATA FROM 'value.message-name'",
                                registry.url())
                        .create();

        assertThat(sql.rows("SELECT id, name, reason, page, m FROM t"))
                .containsExactly(
                        "+I[1, tea, null, null, shop.v1.Order]",
                        "+I[2, null, late, null, shop.v1.Refund]",
                        "+I[3, null, null, /tea, shop.v1.Visit]",
                        "+I[4, null, , null, shop.v1.Refund]",
                        "+I[5, cup, null, null, shop.v1.Order]");
        assertThat(sql.rows("SELECT id FROM t WHERE m = 'shop.v1.Visit'")).containsExactly("+I[3]");
    }

    @Test
    void oneMessageOfThreeIsRead() throws Exception {
        sendThreeMessages();
        for (String[] expected :
                new String[][] {
                    {"Order", "+I[1]", "+I[5]"}, {"Refund", "+I[2]", "+I[4]"}, {"Visit", "+I[3]"}
                }) {
            Sql sql =
                    ConfluentTable.over(topic, "id BIGINT", registry.url())
                            .with("message-name", "shop.v1." + expected[0])
                            .create();
            assertThat(sql.rows("SELECT id FROM t"))
                    .containsExactly(Arrays.copyOfRange(expected, 1, expected.length));
        }
    }

    private void sendThreeMessages() {
        topic.send(
                framed(7, 0, file.bytes("Order", "id: 1 name: 'tea'")),
                framed(7, 1, file.bytes("Refund", "id: 2 reason: 'late'")),
                framed(8, 2, newer.bytes("Visit", "id: 3 page: '/tea'")),
                framed(8, 1, newer.bytes("Refund", "id: 4")),
                framed(8, 0, newer.bytes("Order", "id: 5 name: 'cup'")));
    }
}
