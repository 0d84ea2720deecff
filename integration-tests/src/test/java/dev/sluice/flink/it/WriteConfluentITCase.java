package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.it.server.CountReporter;
import dev.sluice.flink.it.server.Registry;

import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;

/** What INSERT writes and registers, as the real registry and Confluent's own client see it. */
class WriteConfluentITCase {
    private static final String UNIT =
            "syntax = \"proto3\"; package shop.v1; message Unit { string name = 1; }";
    // By hand: comments, odd order and spacing. A text that is printed anew would be another one.
    private static final String ARTICLE =
            String.join(
                    "\n",
                    "syntax = \"proto3\"; // articles",
                    "package shop.v1;",
                    "import \"%s\";",
                    "message Article {",
                    "  oneof label { string word = 7; int32 code = 8; }",
                    "  State state = 2;",
                    "  uint64 id=1;",
                    "  map<string,int32> stock = 3;",
                    "  Unit unit = 4;",
                    "  repeated fixed32 sizes = 5;",
                    "}",
                    "enum State { UNKNOWN = 0; SOLD = 3; }",
                    "");
    private static final String COLUMNS =
            "id DECIMAL(20, 0), state STRING, stock MAP<STRING, INT>, unit ROW<name STRING>,"
                    + " sizes ARRAY<BIGINT>, word STRING, code INT";

    @Test
    void theSchemaThatPythonRegisteredIsWrittenAndNoVersionIsAdded() throws Exception {
        Topic topic = Topic.create("articles");
        String path = topic.name() + "/unit.proto";
        PythonClient.register(path, UNIT, Map.of());
        PythonClient.register(subject(topic), String.format(ARTICLE, path), Map.of(path, path));
        Sql sql = table(topic, COLUMNS).create();
        long before = CountReporter.total("nativeRecordsWritten");
        sql.insert(
                "INSERT INTO t VALUES (CAST('18446744073709551615' AS DECIMAL(20, 0)), 'SOLD',"
                    + " MAP['', 0], ROW('kg'), ARRAY[CAST(4294967295 AS BIGINT), 1], CAST(NULL AS"
                    + " STRING), 0), (CAST(NULL AS DECIMAL(20, 0)), CAST(NULL AS STRING), CAST(NULL"
                    + " AS MAP<STRING, INT>), CAST(NULL AS ROW<name STRING>), CAST(NULL AS"
                    + " ARRAY<BIGINT>), 'žluť', CAST(NULL AS INT))");

        assertThat(CountReporter.total("nativeRecordsWritten") - before).isEqualTo(2);
        assertThat(Registry.shared().versionCount(subject(topic))).isEqualTo(1);
        assertThat(PythonClient.values(topic))
                .containsExactly(
                        "{\"id\": \"18446744073709551615\", \"state\": \"SOLD\", \"stock\":"
                                + " {\"\": 0}, \"unit\": {\"name\": \"kg\"},"
                                + " \"sizes\": [4294967295, 1], \"code\": 0}",
                        "{\"word\": \"žluť\"}");
        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly(
                        "+I[18446744073709551615, SOLD, {=0}, +I[kg], [4294967295, 1],"
                                + " null, 0]",
                        "+I[0, UNKNOWN, {}, null, [], žluť, null]");
    }

    @Test
    void aDerivedSchemaIsRegisteredOnceWhateverNormalizeSchemasSays() throws Exception {
        Topic topic = Topic.create("derived");
        String columns =
                "id BIGINT NOT NULL, note STRING, `at` TIMESTAMP_LTZ(3), tags ARRAY<STRING>";
        String row =
                "INSERT INTO t VALUES (1, 'a', TO_TIMESTAMP_LTZ(-1, 3), ARRAY['x', CAST(NULL AS"
                        + " STRING)])";
        registering(topic, columns).create().insert(row);
        int id = Registry.shared().latestId(subject(topic));
        registering(topic, columns).create().insert(row);
        registering(topic, columns).with("normalize-schemas", "false").create().insert(row);
        Sql sql = table(topic, columns).create();
        sql.insert(row);

        assertThat(Registry.shared().versionCount(subject(topic))).isEqualTo(1);
        String read =
                "{\"id\": \"1\", \"note\": \"a\", \"at\": \"1969-12-31T23:59:59.999Z\", \"tags\":"
                        + " {\"value\": [{\"value\": \"x\"}, {}]}}";
        assertThat(PythonClient.values(topic)).containsExactly(read, read, read, read);
        sql.run("CREATE TABLE ids (schema_id INT METADATA FROM 'value.schema-id') LIKE t");
        assertThat(sql.rows("SELECT DISTINCT schema_id FROM ids"))
                .containsExactly("+I[" + id + "]");
    }

    @Test
    void theFileOfAMessageClassIsRegisteredAfterItsImports() throws Exception {
        Topic topic = Topic.create("class");
        String unit = topic.name() + "/unit.proto";
        String sort = topic.name() + "/sort.proto";
        Path jar =
                GeneratedJar.of(
                        ProtobufRelease.current(),
                        Map.of(
                                unit,
                                UNIT.replace("message", "import \"" + sort + "\"; message")
                                        .replace("name = 1;", "name = 1; Sort sort = 2;"),
                                sort,
                                "syntax = \"proto3\"; package shop.v1; enum Sort { DRY = 0; WET"
                                        + " = 1; }",
                                topic.name() + "/article.proto",
                                String.format(ARTICLE, unit)
                                        .replace(
                                                "package", "option java_package = \"cls\"; package")
                                        .replace("message Art", "message Head {} message Art")));
        Sql sql = new Sql(classes(jar));
        registering(topic, COLUMNS.replace("ROW<name STRING>", "ROW<sort STRING, name STRING>"))
                .with("message-class", "cls.ArticleOuterClass$Article")
                .create(sql);
        sql.insert(
                "INSERT INTO t VALUES (1, 'SOLD', MAP['tea', 2], ROW('WET', 'l'), ARRAY[CAST(1 AS"
                        + " BIGINT)], 'x', CAST(NULL AS INT))");

        assertThat(Registry.shared().versionCount(unit)).isEqualTo(1);
        assertThat(Registry.shared().versionCount(sort)).isEqualTo(1);
        assertThat(PythonClient.values(topic))
                .containsExactly(
                        "{\"id\": \"1\", \"state\": \"SOLD\", \"stock\": {\"tea\": 2}, \"unit\":"
                                + " {\"name\": \"l\", \"sort\": \"WET\"}, \"sizes\": [1],"
                                + " \"word\": \"x\"}");
        assertThat(sql.rows("SELECT * FROM t"))
                .containsExactly("+I[1, SOLD, {tea=2}, +I[WET, l], [1], x, null]");
        // A second writer finds what the first one registered.
        sql.insert("INSERT INTO t SELECT * FROM t");
        assertThat(topic.count()).isEqualTo(2);
        assertThat(Registry.shared().versionCount(subject(topic))).isEqualTo(1);
    }

    private static ClassLoader classes(Path jar) throws Exception {
        return new URLClassLoader(
                new URL[] {jar.toUri().toURL()}, WriteConfluentITCase.class.getClassLoader());
    }

    private static String subject(Topic topic) {
        return topic.name() + "-value";
    }

    private static ConfluentTable table(Topic topic, String columns) {
        return ConfluentTable.over(topic, columns, Registry.shared().url());
    }

    private static ConfluentTable registering(Topic topic, String columns) {
        return table(topic, columns).with("auto-register-schemas", "true");
    }
}
