package dev.sluice.flink.it;

import java.util.List;

/** What stands in a topic of dead letters. */
final class DeadLetterRows {
    private DeadLetterRows() {}

    /** Bytes, code and role of each dead letter. */
    static List<String> of(Topic dead) throws Exception {
        Sql sql = new Sql();
        sql.run(
                String.format(
                        "CREATE TABLE dead (v BYTES, headers MAP<STRING, BYTES> METADATA) WITH (%s,"
                                + " 'format' = 'raw')",
                        dead.source()));
        return sql.rows(
                "SELECT v, CAST(headers['error.code'] AS STRING),"
                        + " CAST(headers['source.role'] AS STRING) FROM dead");
    }
}
