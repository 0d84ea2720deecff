package dev.sluice.flink.it;

import dev.sluice.flink.it.server.Registry;

/**
 * A topic of orders in two schema versions, the older one first, with an imported file that is
 * registered as a reference; and the tables over it.
 */
final class Orders {
    private static final String MONEY =
            "syntax = \"proto3\"; package shop.v1; message Money { string currency = 1; int64 cents"
                    + " = 2; }";

    private static final String FIRST =
            String.join(
                    "\n",
                    "syntax = \"proto3\";",
                    "package shop.v1;",
                    "import \"shop/v1/money.proto\";",
                    "import \"google/protobuf/timestamp.proto\";",
                    "message Order {",
                    "  int64 id = 1;",
                    "  Customer customer = 2;",
                    "  repeated Line lines = 3;",
                    "  map<string, string> labels = 4;",
                    "  Status status = 5;",
                    "  optional string note = 6;",
                    "  google.protobuf.Timestamp placed_at = 7;",
                    "  Money total = 8;",
                    "}",
                    "message Customer { string name = 1; string country = 2; }",
                    "message Line { string sku = 1; uint32 quantity = 2; Money price = 3; }",
                    "enum Status { UNKNOWN = 0; PLACED = 1; SHIPPED = 2; }",
                    "message OrderKey { int64 id = 1; }");

    private static final String SECOND =
            FIRST.replace("  Money total = 8;", "  Money total = 8;\n  string channel = 9;");

    /** All columns of the newer version, as they stand in a table. */
    static final String COLUMNS =
            "id BIGINT, customer ROW<name STRING, country STRING>,"
                    + " lines ARRAY<ROW<sku STRING, quantity BIGINT,"
                    + " price ROW<currency STRING, cents BIGINT>>>,"
                    + " labels MAP<STRING, STRING>, status STRING, note STRING,"
                    + " placed_at TIMESTAMP_LTZ(3), total ROW<currency STRING, cents BIGINT>,"
                    + " channel STRING";

    static final int COUNT = 3;

    static final String[] ROWS = {
        "+I[1, +I[Ada, GB], [+I[tea, 2, +I[EUR, 450]], +I[cup, 1, null]], {gift=yes}, PLACED, null,"
                + " 2026-01-01T00:00:00.250Z, +I[EUR, 900], null]",
        "+I[2, +I[Émilie, ], [], {}, UNKNOWN, , null, null, null]",
        "+I[3, null, [], {}, SHIPPED, ring twice, 1969-12-31T23:59:59.999Z, null, app]"
    };

    final ProtoFile first;
    final ProtoFile second;
    final Topic topic;

    private Orders(ProtoFile first, ProtoFile second, Topic topic) {
        this.first = first;
        this.second = second;
        this.topic = topic;
    }

    static Orders create() {
        ProtoFile money = ProtoFile.of("shop/v1/money.proto", MONEY);
        Topic topic = Topic.create("orders", 2);
        Orders orders =
                new Orders(
                        ProtoFile.of("shop/v1/order.proto", FIRST, money),
                        ProtoFile.of("shop/v1/order.proto", SECOND, money),
                        topic);
        orders.first.register(topic.name() + "-value");
        orders.second.register(topic.name() + "-value");
        return orders;
    }

    /** The values of {@link #ROWS}. */
    byte[][] values() {
        return new byte[][] {
            first.record(
                    "Order",
                    "id: 1 customer { name: 'Ada' country: 'GB' } lines { sku: 'tea' quantity: 2"
                        + " price { currency: 'EUR' cents: 450 } } lines { sku: 'cup' quantity: 1 }"
                        + " labels { key: 'gift' value: 'yes' } status: PLACED placed_at { seconds:"
                        + " 1767225600 nanos: 250000000 } total { currency: 'EUR' cents: 900 }"),
            first.record("Order", "id: 2 customer { name: 'Émilie' } note: ''"),
            second.record(
                    "Order",
                    "id: 3 status: SHIPPED note: 'ring twice' channel: 'app'"
                            + " placed_at { seconds: -1 nanos: 999999999 }")
        };
    }

    byte[] key(long id) {
        return first.record("OrderKey", "id: " + id);
    }

    /** The options of the format under a prefix, {@code value.} or none. */
    String format(String prefix) {
        return String.format(
                "'%1$sformat' = 'proto-confluent', '%1$sproto-confluent.url' = '%2$s',"
                        + " '%1$sproto-confluent.topic' = '%3$s'",
                prefix, Registry.shared().url(), topic.name());
    }
}
