/**
 * From a table's columns to a plan, and from the registry to the resolved messages that a decoder
 * asks for. The only package, with the root and {@code row}, that sees Flink.
 */
package dev.sluice.flink.format;
