/** The table formats: what Flink finds through its service loader. */
package dev.sluice.flink;
