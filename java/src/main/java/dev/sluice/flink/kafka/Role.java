package dev.sluice.flink.kafka;

/** Which half of a record an array is. */
enum Role {
    KEY("__key_schema_id"),
    VALUE("__value_schema_id");

    /** The header that names the schema of this half (W14). */
    final String header;

    Role(String header) {
        this.header = header;
    }
}
