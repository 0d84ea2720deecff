/**
 * Whole polls and record headers, for formats that Flink's Kafka connector hands one array at a
 * time. Interceptors see them first, on the consumer's thread; formats find them again by the
 * identity of the arrays. Knows neither Kafka nor Flink: the interceptors, one for each package
 * that Kafka goes by, are compiled apart and only pass on what they see.
 *
 * <pre>
 * fetcher thread                                   task thread
 * interceptor ─► ConsumerPolls ◄───── Polls ◄───── PolledDecoder ◄─ format
 *                 │  └─ Poll, Poll, … (first in, first out)   │
 *                 └─ PollBinding: decodes ahead ◄── binds ────┘
 * </pre>
 *
 * <p>Writing needs one array and one thread only:
 *
 * <pre>
 * format ─► PayloadHeader: one payload waits ◄── finds, binds ── ProducerHeaders ◄─ interceptor
 * </pre>
 */
package dev.sluice.flink.kafka;
