/**
 * The honest rival: what an expert in Java would write instead of native code. Messages become
 * tables of fields, one loop walks a record by them, and the bytes of a Flink binary row come out;
 * no object is made on the way, and memory is reached through {@code Unsafe}.
 *
 * <p>It is spared what the product has to do: variable-length values stand in the order in which
 * they arrived (rows are equal in value, not in bytes), repeated fields have to lie together,
 * elements of maps stay in the order of the wire, and only kinds of fields that the payloads have
 * are known. UTF-8, lengths, field numbers and depth are checked as protobuf-java does.
 */
package dev.sluice.flink.bench.table;
