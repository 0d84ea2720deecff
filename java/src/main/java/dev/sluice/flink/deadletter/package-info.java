/** Records that were skipped, kept in a Kafka topic of their own. */
package dev.sluice.flink.deadletter;
