package dev.sluice.flink.engine.dynamic;

/** Which rule decides what an absent field becomes. */
enum Context {
    /** A row of the table: the profile's rule. */
    TABLE,
    /** An entry of a native map, or a message that is one SQL value: always the default. */
    PART
}
