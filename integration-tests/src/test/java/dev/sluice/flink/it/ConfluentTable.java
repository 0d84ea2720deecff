package dev.sluice.flink.it;

import dev.sluice.flink.it.server.KafkaBroker;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The table {@code t} over a topic of values in the format {@code proto-confluent}. */
final class ConfluentTable {
    private final Topic topic;
    private final String columns;
    private final Map<String, String> options = new TreeMap<>();
    private String source;

    private ConfluentTable(Topic topic, String columns) {
        this.topic = topic;
        this.columns = columns;
        source = topic.source();
    }

    static ConfluentTable over(Topic topic, String columns, String url) {
        return new ConfluentTable(topic, columns).with("url", url).with("topic", topic.name());
    }

    /** With the interceptor, whatever the run, and polls of so many records at most. */
    ConfluentTable inPolls(int records) {
        source = topic.sourceWith(Topic.polls(records));
        return this;
    }

    /** Sets an option of the format. */
    ConfluentTable with(String option, String value) {
        options.put(option, value);
        return this;
    }

    /** Properties of the registry's client, each as an option of its own. */
    ConfluentTable withProperties(Map<String, String> properties) {
        properties.forEach((name, value) -> with("properties." + name, value));
        return this;
    }

    /** The same in the other form that maps have in Flink, as one option with quoted values. */
    ConfluentTable withPropertiesInOne(Map<String, String> properties) {
        List<String> pairs = new ArrayList<>();
        properties.forEach((name, value) -> pairs.add(name + ":'" + value + "'"));
        return with("properties", String.join(",", pairs));
    }

    /** Records that cannot be read are skipped and become dead letters. */
    ConfluentTable skippingTo(Topic dead) {
        return with("on-deserialize-error", "skip")
                .with("dead-letter-topic", dead.name())
                .with(
                        "dead-letter.properties.bootstrap.servers",
                        KafkaBroker.shared().bootstrapServers());
    }

    /** Creates the table, for statements of a catalog of its own. */
    Sql create() {
        return create(new Sql());
    }

    Sql create(Sql sql) {
        StringBuilder text = new StringBuilder();
        options.forEach(
                (option, value) ->
                        text.append(
                                String.format(
                                        ", 'value.proto-confluent.%s' = '%s'",
                                        option, value.replace("'", "''"))));
        sql.run(
                String.format(
                        "CREATE TABLE t (%s) WITH (%s, 'value.format' = 'proto-confluent'%s)",
                        columns, source, text));
        return sql;
    }
}
