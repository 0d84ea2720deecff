/**
 * Our formats beside their peers, measured in one JVM.
 *
 * <pre>
 * {@link Benchmark}: one command ──► {@link Fork}: a JVM for each payload and path
 *                                      contenders ──► {@link Agreement} ──► {@link Rounds}
 *   {@link ResultFile} ◄── rows of measurements ◄──────────────────────────────┘
 *      └──► table as text, page, section of docs/performance.md
 * </pre>
 *
 * <p>{@link RustPeers} hands the records to a program of Rust, whose rows come back the same way.
 *
 * <p>What a number means: CPU time of the one thread that works, in nanoseconds per record, and
 * bytes that this thread allocated; the collector's threads are not in it. A JVM sees one payload
 * and one path only, as a task does, and every contender has a copy of the loop that drives it, so
 * that none pays for the classes of another.
 */
package dev.sluice.flink.bench;
