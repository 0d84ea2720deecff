/**
 * Engines that turn one record into the bytes of one row, and what an engine needs from outside:
 * the resolved schema of a writer schema that it meets for the first time. A failure of a record is
 * one exception type with one numeric code.
 */
package dev.sluice.flink.engine;
