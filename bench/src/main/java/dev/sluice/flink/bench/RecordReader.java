package dev.sluice.flink.bench;

/** One record in, one row out; a contender that stops short of rows gives what it has. */
@FunctionalInterface
interface RecordReader {
    Object read(byte[] record) throws Exception;
}
