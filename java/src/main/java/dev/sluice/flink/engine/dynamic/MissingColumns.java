package dev.sluice.flink.engine.dynamic;

import dev.sluice.flink.schema.SchemaKey;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Warns of columns that a writer schema has no field for, once for each plan, schema and column in
 * a process, however many subtasks read it (decision 10).
 */
final class MissingColumns {
    /** Warnings beyond so many make the oldest be forgotten, and perhaps told again. */
    private static final int TOLD_MAX = 10_000;

    private static final Logger LOG = LoggerFactory.getLogger(MissingColumns.class);

    private static final Set<String> TOLD =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<String, Boolean>() {
                                private static final long serialVersionUID = 1L;

                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<String, Boolean> eldest) {
                                    return size() > TOLD_MAX;
                                }
                            }));

    private MissingColumns() {}

    /**
     * @param key of the schema; null if the plan brought it along
     */
    static void warn(byte[] plan, DynamicProgram program, SchemaKey key) {
        for (String column : program.missingColumns()) {
            String warning =
                    String.format(
                            "column %s is NULL in records of message %s of %s: it has no such"
                                    + " field",
                            column,
                            program.messageName(),
                            key == null ? "the schema of the plan" : key);
            if (TOLD.add(Arrays.hashCode(plan) + " " + warning)) {
                LOG.warn(warning);
            }
        }
    }
}
