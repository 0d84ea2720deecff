-- Reads the topic `orders` and writes the topic `countries` with Flink's SQL client. The addresses are
-- the usual ones; the demo puts in the ports that were free.
SET 'sql-client.execution.result-mode' = 'tableau';
SET 'table.display.max-column-width' = '70';
SET 'execution.runtime-mode' = 'batch';
SET 'table.dml-sync' = 'true';
SET 'table.local-time-zone' = 'UTC';

CREATE TABLE orders (
    id        BIGINT,
    customer  ROW<name STRING, country STRING>,
    lines     ARRAY<ROW<sku STRING, quantity BIGINT, price ROW<currency STRING, cents BIGINT>>>,
    labels    MAP<STRING, STRING>,
    status    STRING,
    note      STRING,
    channel   STRING,  -- only the second version of the schema has it: NULL in older records
    placed_at TIMESTAMP_LTZ(3)
) WITH (
    'connector' = 'kafka',
    'topic' = 'orders',
    'properties.bootstrap.servers' = 'localhost:9092',
    'scan.startup.mode' = 'earliest-offset',
    'scan.bounded.mode' = 'latest-offset',
    'value.format' = 'proto-confluent',
    'value.proto-confluent.url' = 'http://localhost:8081',
    'value.proto-confluent.topic' = 'orders'
);

-- Whole orders, four of each version of the schema.
SELECT id, customer, lines, labels, status, note, channel, placed_at
FROM orders
WHERE id <= 4 OR id BETWEEN 2001 AND 2004
ORDER BY id;

-- What each country bought.
SELECT
    customer.country,
    COUNT(DISTINCT id) AS orders,
    SUM(line.quantity) AS pieces,
    SUM(line.quantity * line.price.cents) / 100 AS euros,
    COUNT(DISTINCT channel) AS channels
FROM orders CROSS JOIN UNNEST(lines) AS line (sku, quantity, price)
GROUP BY customer.country
ORDER BY euros DESC;

-- Every order that was written.
SELECT COUNT(*) AS orders, MIN(placed_at) AS first_order, MAX(placed_at) AS last_order FROM orders;

-- The same per country into a topic of its own: the schema is made of the columns and registered.
CREATE TABLE countries (
    country STRING,
    orders  BIGINT NOT NULL COMMENT 'with at least one line',
    euros   BIGINT
) WITH (
    'connector' = 'kafka',
    'topic' = 'countries',
    'properties.bootstrap.servers' = 'localhost:9092',
    'value.format' = 'proto-confluent',
    'value.proto-confluent.url' = 'http://localhost:8081',
    'value.proto-confluent.topic' = 'countries',
    'value.proto-confluent.message-name' = 'shop.v1.Country',
    'value.proto-confluent.auto-register-schemas' = 'true'
);

INSERT INTO countries
SELECT
    customer.country,
    COUNT(DISTINCT id),
    SUM(line.quantity * line.price.cents) / 100
FROM orders CROSS JOIN UNNEST(lines) AS line (sku, quantity, price)
GROUP BY customer.country;
