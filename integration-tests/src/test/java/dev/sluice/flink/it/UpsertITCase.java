package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The upsert connector: keys and values by the format, null values as deletes. */
class UpsertITCase {
    @Test
    void aTombstoneDeletesItsKey() throws Exception {
        Orders orders = Orders.create();
        Topic topic = orders.topic;
        topic.send(
                List.of(
                        topic.record(
                                orders.key(1), orders.first.record("Order", "id: 1 note: 'a'")),
                        topic.record(
                                orders.key(2), orders.first.record("Order", "id: 2 note: 'b'")),
                        topic.record(
                                orders.key(1), orders.second.record("Order", "id: 1 note: 'c'")),
                        topic.record(orders.key(2), null)));
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE latest (id BIGINT, note STRING, PRIMARY KEY (id) NOT"
                            + " ENFORCED) WITH (%s, %s, %s, 'key.proto-confluent.is_key' = 'true')",
                        topic.upsertSource(), orders.format("key."), orders.format("value.")));

        assertThat(sql.rows("SELECT * FROM latest"))
                .containsExactly("+I[1, a]", "+I[2, b]", "-U[1, a]", "+U[1, c]", "-D[2, b]");
    }

    @Test
    void aNullValueOfAPlainTopicIsNoRow() throws Exception {
        Orders orders = Orders.create();
        orders.topic.send(null, orders.first.record("Order", ""), null);
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE orders (id BIGINT, note STRING) WITH (%s, %s)",
                        orders.topic.source(), orders.format("value.")));

        assertThat(sql.rows("SELECT * FROM orders")).containsExactly("+I[0, null]");
    }
}
