/**
 * Kafka records in DataStream programs: rows of a key and a value, whose schemas are named in
 * headers or in front of the message.
 *
 * <p>The only classes that need Flink's Kafka connector. They are compiled against it and against
 * Kafka's own clients, and are of no use to {@code flink-sql-connector-kafka}.
 */
package dev.sluice.flink.datastream;
