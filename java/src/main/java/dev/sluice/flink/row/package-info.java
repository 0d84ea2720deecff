/** Decoded rows as Flink sees them: canonical binary row bytes opened into {@code RowData}. */
package dev.sluice.flink.row;
