/**
 * Records to Arrow batches, for programs outside of SQL: {@link dev.sluice.flink.arrow.ArrowTable}
 * says what is read, {@link dev.sluice.flink.arrow.ArrowBatchDecoder} reads it.
 *
 * <p>Batches lie in native memory. They are looked at through direct buffers, or handed on to any
 * Arrow library through the C Data Interface. No Arrow library for Java is needed here.
 */
package dev.sluice.flink.arrow;
