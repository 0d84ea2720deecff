package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.schema.SchemaOrigin;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;

/** The columns of a plan's metadata: one value for all records of a schema and message. */
final class MetadataColumns {
    private static final String SCHEMA_ID = "schema-id";
    private static final String MESSAGE_NAME = "message-name";
    private static final String SCHEMA_GUID = "schema-guid";

    private MetadataColumns() {}

    /** Refuses a key that this engine does not know, by name. */
    static void requireKnown(Plan plan) throws RecordException {
        for (String key : plan.getMetadataList()) {
            if (!List.of(SCHEMA_ID, MESSAGE_NAME, SCHEMA_GUID).contains(key)) {
                throw unsupported("metadata " + key + " is not known");
            }
        }
        if (plan.getMetadataCount() > plan.getRow().getColumnsCount()) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the plan has more metadata than columns");
        }
    }

    /** The columns before the metadata. */
    static List<Column> physical(Plan plan) {
        List<Column> columns = plan.getRow().getColumnsList();
        return columns.subList(0, columns.size() - plan.getMetadataCount());
    }

    /** {@code row}, which has the columns before the metadata, with the metadata behind them. */
    static RowConverter add(RowConverter row, Plan plan, Descriptor root, SchemaOrigin origin)
            throws RecordException {
        int count = plan.getMetadataCount();
        if (count == 0) {
            return row;
        }
        int physical = plan.getRow().getColumnsCount() - count;
        String[] names = new String[count];
        Object[] values = new Object[count];
        boolean[] notNull = new boolean[count];
        for (int at = 0; at < count; at++) {
            Column column = plan.getRow().getColumns(physical + at);
            String key = plan.getMetadata(at);
            requireType(column, key);
            names[at] = column.getName();
            values[at] = value(key, root, origin);
            notNull[at] = plan.getProfile() != Profile.FLINK && !column.getType().getNullable();
        }
        return row.with(names, values, notNull);
    }

    private static void requireType(Column column, String key) throws RecordException {
        SqlKind wanted = key.equals(SCHEMA_ID) ? SqlKind.INTEGER : SqlKind.VARCHAR;
        if (column.getType().getKind() != wanted) {
            throw unsupported("metadata " + key + " is no " + column.getType().getKind());
        }
    }

    private static Object value(String key, Descriptor root, SchemaOrigin origin) {
        switch (key) {
            case SCHEMA_ID:
                return origin.id().isPresent() ? (Object) origin.id().getAsInt() : null;
            case MESSAGE_NAME:
                return text(root.getFullName());
            default:
                return origin.guid().map(UUID::toString).map(MetadataColumns::text).orElse(null);
        }
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static RecordException unsupported(String reason) {
        return new RecordException(FailureCode.UNSUPPORTED_PLAN, reason);
    }
}
