package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.KafkaBroker;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Records with headers in a DataStream program: the one of {@code docs/datastream.md}. */
class DataStreamITCase {
    private static final int COUNT = 20;

    /** What Confluent's own client writes into headers is read, and what is written it reads. */
    @Test
    void theProgramOfTheDocsCopiesATopicIntoHeaders(@TempDir Path classes) throws Exception {
        Topic from = Topic.create("datastream-from");
        Topic to = Topic.create("datastream-to");
        try (TestRegistry registry = TestRegistry.start()) {
            PythonClient.produceHeaders(from, registry.url(), COUNT);
            ConsumerRecord<byte[], byte[]> first = from.records().get(0);
            assertThat(names(first)).containsExactly("__key_schema_id", "__value_schema_id");
            assertThat(first.key()).containsExactly(8, 1);
            // A deletion, and a record that names its schemas in the payload: ids 1 and 2.
            ProducerRecord<byte[], byte[]> deletion = from.record(first.key(), null);
            deletion.headers().add(first.headers().lastHeader("__key_schema_id"));
            from.send(
                    List.of(
                            deletion,
                            from.record(
                                    Frames.framed(1, new int[] {1}, new byte[] {8, 100}),
                                    Frames.framed(
                                            2, new int[] {1}, new byte[] {8, 100, 18, 1, 'n'}))));

            DocumentedProgram.run(
                    "datastream.md",
                    classes,
                    KafkaBroker.shared().bootstrapServers(),
                    registry.url(),
                    from.name(),
                    to.name());

            List<String> expected = new ArrayList<>();
            for (int id = 1; id <= COUNT; id++) {
                expected.add(json(id));
            }
            expected.add("{\"id\": \"1\"} null");
            expected.add(json(100));
            assertThat(PythonClient.keysAndValues(to, registry.url()))
                    .containsExactlyElementsOf(expected);
        }
        assertThat(to.records().subList(0, COUNT))
                .allSatisfy(
                        record ->
                                assertThat(names(record))
                                        .containsExactly("__key_schema_id", "__value_schema_id"));
        assertThat(names(to.records().get(COUNT))).containsExactly("__key_schema_id");
    }

    private static String json(int id) {
        return String.format("{\"id\": \"%d\"} {\"id\": \"%d\", \"note\": \"n\"}", id, id);
    }

    private static List<String> names(ConsumerRecord<byte[], byte[]> record) {
        List<String> names = new ArrayList<>();
        for (Header header : record.headers()) {
            names.add(header.key());
        }
        return names;
    }
}
