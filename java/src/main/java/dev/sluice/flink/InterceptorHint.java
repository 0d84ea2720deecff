package dev.sluice.flink;

import dev.sluice.flink.kafka.InterceptorClasses;

import org.apache.flink.table.factories.DynamicTableFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells at INFO, once for each table over Kafka that is planned without our interceptor, which
 * property it lacks. Validates nothing: such a table is read one record at a time.
 */
final class InterceptorHint {
    private static final Logger LOG = LoggerFactory.getLogger(InterceptorHint.class);
    private static final Set<String> CONNECTORS = Set.of("kafka", "upsert-kafka");

    private static final int TABLES_MAX = 10_000; // then silence, rather than memory
    private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

    private InterceptorHint() {}

    static void tell(DynamicTableFactory.Context context) {
        Map<String, String> options = context.getCatalogTable().getOptions();
        boolean isMissing =
                CONNECTORS.contains(options.get("connector"))
                        && !InterceptorClasses.nameOurs(options.get(InterceptorClasses.OPTION));
        String table = context.getObjectIdentifier().asSummaryString();
        if (isMissing && TOLD.size() < TABLES_MAX && TOLD.add(table)) {
            LOG.info(
                    "table {} is read one record at a time, and no schema id in a header is seen."
                            + " '{}' = '{}' lets the format see whole polls",
                    table,
                    InterceptorClasses.OPTION,
                    InterceptorClasses.of(context.getClassLoader()));
        }
    }
}
