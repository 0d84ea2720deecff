package dev.sluice.flink.kafka;

import java.util.List;

/** Which half of a record an array is. */
enum Role {
    KEY("__key_schema_id"),
    VALUE("__value_schema_id");

    /** {@code values()} makes an array each time. */
    static final List<Role> ALL = List.of(KEY, VALUE);

    /** The header that names the schema of this half (W14). */
    final String header;

    Role(String header) {
        this.header = header;
    }
}
