/**
 * Flink's canonical binary row layout, written in plain Java: no class of Flink is used, so one
 * engine serves every Flink version, and tests compare the bytes with those of Flink's own
 * serializers.
 */
package dev.sluice.flink.engine.rowimage;
