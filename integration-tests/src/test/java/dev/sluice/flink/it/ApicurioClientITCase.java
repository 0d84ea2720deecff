package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What Apicurio's own Java serializer writes is read by us, and the other way round. */
class ApicurioClientITCase {
    private static final String ARTICLE =
            String.join(
                    "\n",
                    "syntax = \"proto3\";",
                    "package shop.v1;",
                    "import \"google/protobuf/timestamp.proto\";",
                    "message Article {",
                    "  uint64 id = 1;",
                    "  State state = 2;",
                    "  map<string, int32> stock = 3;",
                    "  google.protobuf.Timestamp at = 4;",
                    "  oneof label { string word = 7; int32 code = 8; }",
                    "  enum State { UNKNOWN = 0; SOLD = 3; }",
                    "}",
                    "");
    private static final String COLUMNS =
            "id DECIMAL(20, 0), state STRING, stock MAP<STRING, INT>, `at` TIMESTAMP_LTZ(9), word"
                    + " STRING, code INT";
    private static final String ROW =
            "INSERT INTO t VALUES (CAST('18446744073709551615' AS DECIMAL(20, 0)), 'SOLD',"
                    + " MAP['a', -1], TO_TIMESTAMP_LTZ(-1, 3), CAST(NULL AS STRING), 0)";
    private static final String TEXT =
            "id: 18446744073709551615 state: SOLD stock { key: \"a\" value: -1 } at { seconds: -1"
                    + " nanos: 999000000 } code: 0";
    private static final String READ =
            "+I[18446744073709551615, SOLD, {a=-1}, 1969-12-31T23:59:59.999Z, null, 0]";

    @Test
    void recordsOfBothAreReadByBoth() throws Exception {
        Topic topic = Topic.create("apicurio");
        int id = Registry.shared().register(topic.name() + "-value", ARTICLE, Map.of());
        Sql sql = ConfluentTable.over(topic, COLUMNS, Registry.shared().url()).create();
        sql.insert(ROW);
        List<byte[]> ours = topic.values();

        List<Echo> echoes = Echo.of(topic, ours, ARTICLE, "shop.v1.One$Article", false);

        assertThat(echoes).extracting(echo -> echo.text).containsExactly(TEXT);
        assertThat(echoes.get(0).message()).isEqualTo(ours.get(0));
        topic.send(echoes.get(0).record);
        assertThat(sql.rows("SELECT * FROM t")).containsExactly(READ, READ);
        assertThat(Registry.shared().latestId(topic.name() + "-value")).isEqualTo(id);
    }

    /**
     * Apicurio prints its schemas in a form of its own; Confluent's client sends texts as they are.
     */
    @Test
    void anEqualTextHasOneIdAndAnotherPrintOfItHasAnother() throws Exception {
        Topic topic = Topic.create("apicurio-registers");
        String subject = topic.name() + "-value";
        String row = "INSERT INTO t VALUES (7, 'x', 0)";
        ConfluentTable table =
                ConfluentTable.over(
                        topic,
                        "id BIGINT NOT NULL, word STRING, share DOUBLE",
                        Registry.shared().url());
        Sql sql = table.create();
        table.with("auto-register-schemas", "true").create().insert(row);
        int id = Registry.shared().latestId(subject);
        String text = Registry.shared().latestText(subject);

        assertThat(PythonClient.register(subject, text, Map.of())).isEqualTo(id);
        assertThat(Registry.shared().versionCount(subject)).isEqualTo(1);

        List<Echo> echoes =
                Echo.of(
                        topic,
                        topic.values(),
                        text,
                        "io.confluent.protobuf.generated.One$Row",
                        true);
        assertThat(echoes).extracting(echo -> echo.id()).doesNotContain(id);
        assertThat(Registry.shared().versionCount(subject)).isEqualTo(2);
        topic.send(echoes.get(0).record);
        // Asked to normalize, the registry finds its own print for our text.
        sql.insert(row);
        sql.run("CREATE TABLE ids (schema_id INT METADATA FROM 'value.schema-id') LIKE t");
        assertThat(sql.rows("SELECT * FROM ids"))
                .containsExactly(
                        "+I[7, x, 0.0, " + id + "]",
                        "+I[7, x, 0.0, " + echoes.get(0).id() + "]",
                        "+I[7, x, 0.0, " + Registry.shared().findNormalizedId(subject, text) + "]");
    }

    /** A record as Apicurio read it, and wrote it again. */
    private static final class Echo {
        final String text;
        final byte[] record;

        private Echo(String line) {
            String[] parts = line.split("\t");
            text = parts[0];
            record = Base64.getDecoder().decode(parts[1]);
        }

        int id() {
            return ByteBuffer.wrap(record).getInt(1);
        }

        /** The record with the short form of the first message, which Apicurio does not use. */
        byte[] message() {
            assertThat(Arrays.copyOfRange(record, 5, 7)).containsExactly(2, 0);
            byte[] framed = Arrays.copyOf(record, record.length - 1);
            framed[5] = 0;
            System.arraycopy(record, 7, framed, 6, record.length - 7);
            return framed;
        }

        static List<Echo> of(
                Topic topic, List<byte[]> records, String schema, String message, boolean registers)
                throws IOException, InterruptedException {
            Path classes = GeneratedJar.of(ProtobufRelease.current(), Map.of("one.proto", schema));
            String url = Registry.shared().url().replace("/ccompat/v7", "/registry/v3");
            Path warnings = Files.createTempFile("sluice-apicurio", ".err");
            try {
                List<String> command = new ArrayList<>();
                command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
                command.addAll(List.of("-XX:TieredStopAtLevel=1", "-cp"));
                command.add(
                        classes + File.pathSeparator + System.getProperty("apicurio.class.path"));
                command.add(System.getProperty("apicurio.client"));
                command.addAll(List.of(url, topic.name(), message, Boolean.toString(registers)));
                Process process =
                        new ProcessBuilder(command).redirectError(warnings.toFile()).start();
                try (OutputStream input = process.getOutputStream()) {
                    for (byte[] record : records) {
                        input.write(Base64.getEncoder().encode(record));
                        input.write('\n');
                    }
                }
                String said =
                        new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                assertThat(process.waitFor()).as(Files.readString(warnings)).isZero();
                return said.lines().map(Echo::new).collect(Collectors.toList());
            } finally {
                Files.delete(warnings);
            }
        }
    }
}
