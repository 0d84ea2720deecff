package dev.sluice.flink.format;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** What a format can tell of a record besides its columns. Each is NULL where it is not known. */
public enum ReadableMetadata {
    /** The registry's id of the writer schema; not known for records framed by GUID. */
    SCHEMA_ID("schema-id", DataTypes.INT()),
    /** Full name of the record's message. */
    MESSAGE_NAME("message-name", DataTypes.STRING()),
    /** The registry's GUID of the writer schema. */
    SCHEMA_GUID("schema-guid", DataTypes.STRING());

    private final String key;
    private final DataType type;

    ReadableMetadata(String key, DataType type) {
        this.key = key;
        this.type = type;
    }

    /** Every key with its type, as {@code listReadableMetadata} gives them. */
    public static Map<String, DataType> all() {
        return Arrays.stream(values())
                .collect(
                        Collectors.toMap(
                                one -> one.key,
                                one -> one.type,
                                (one, other) -> one,
                                LinkedHashMap::new));
    }

    /** Fields for these keys, under names that none of {@code row} has. */
    static List<RowType.RowField> fields(List<String> keys, RowType row) {
        List<String> taken = new ArrayList<>(row.getFieldNames());
        List<RowType.RowField> fields = new ArrayList<>();
        for (String key : keys) {
            String name = key;
            while (taken.contains(name)) {
                name = "_" + name;
            }
            taken.add(name);
            fields.add(new RowType.RowField(name, all().get(key).getLogicalType()));
        }
        return fields;
    }
}
