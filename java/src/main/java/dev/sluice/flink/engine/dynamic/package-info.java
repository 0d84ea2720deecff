/**
 * The engine in plain Java: protobuf-java's {@code DynamicMessage} parses the record, and a tree of
 * converters, compiled once for a plan and a descriptor, turns it into a row.
 *
 * <p>It serves where the native library cannot be loaded, and as an oracle for native code: what a
 * field is (presence, openness of its enum, UTF-8 rule, defaults) is asked of protobuf-java here,
 * while native code reads resolved schemas.
 */
package dev.sluice.flink.engine.dynamic;
