package dev.sluice.flink.bench.table;

/** What is done with a field. Numbers, since a switch over an enum loads an array first. */
final class Op {
    static final int SKIP = 0;
    static final int SKIP_TEXT = 1; // checked all the same
    static final int INT = 2;
    static final int LONG = 3;
    static final int ZIGZAG_INT = 4;
    static final int ZIGZAG_LONG = 5;
    static final int FIXED_INT = 6;
    static final int FIXED_LONG = 7;
    static final int BOOL = 8;
    static final int TEXT = 9;
    static final int ENUM = 10;
    static final int MESSAGE = 11;
    static final int MESSAGES = 12;
    static final int TEXT_MAP = 13;
    static final int PACKED_LONGS = 14;

    private Op() {}
}
