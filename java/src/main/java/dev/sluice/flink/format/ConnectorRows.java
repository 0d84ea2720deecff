package dev.sluice.flink.format;

import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.catalog.ResolvedSchema;

import java.util.Map;

/**
 * Which class of rows the connector of a table can take from a format.
 *
 * <p>Several connectors cast a format's rows to {@code GenericRowData}; Kafka's table source does
 * so exactly when it has something to add to them: key columns, or metadata of its own. Metadata
 * that a format supplies (key {@code value.…}) passes through it untouched.
 */
public final class ConnectorRows {

    /** True only where rows of any class are known to work. */
    public static boolean mayBeBinary(Map<String, String> tableOptions, ResolvedSchema schema) {
        return "kafka".equals(tableOptions.get("connector"))
                && !tableOptions.containsKey("key.format")
                && schema.getColumns().stream().noneMatch(ConnectorRows::isOfConnector);
    }

    /** A metadata column without a key has its own name as key. */
    private static boolean isOfConnector(Column column) {
        if (!(column instanceof Column.MetadataColumn)) {
            return false;
        }
        String key = ((Column.MetadataColumn) column).getMetadataKey().orElse(column.getName());
        return !key.startsWith("value.");
    }

    private ConnectorRows() {}
}
