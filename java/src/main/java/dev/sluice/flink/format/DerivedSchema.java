package dev.sluice.flink.format;

import dev.sluice.flink.schema.DerivedMessage;
import dev.sluice.flink.schema.SchemaFile;

import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.BinaryType;
import org.apache.flink.table.types.logical.CharType;
import org.apache.flink.table.types.logical.DecimalType;
import org.apache.flink.table.types.logical.IntType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.MapType;
import org.apache.flink.table.types.logical.MultisetType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.VarBinaryType;
import org.apache.flink.table.types.logical.VarCharType;
import org.apache.flink.table.types.logical.utils.LogicalTypeChecks;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The schema that a table's row type stands for (T1 to T10, edition V1): what Confluent's own Flink
 * writes, in the registry's normal form.
 */
public final class DerivedSchema {

    /** Full name of the message where a table gives none (T1). */
    public static final String DEFAULT_NAME = "io.confluent.protobuf.generated.Row";

    private static final int PRECISION_DEFAULT = 9;

    private final Set<String> imports = new TreeSet<>();

    private DerivedSchema() {}

    /**
     * The file of a row.
     *
     * @param messageName full name of its message
     * @param comments of top-level columns by name
     * @throws ValidationException naming the column that no field can stand for
     */
    public static SchemaFile of(RowType row, String messageName, Map<String, String> comments) {
        int dot = messageName.lastIndexOf('.');
        DerivedMessage message = new DerivedMessage(messageName.substring(dot + 1));
        DerivedSchema schema = new DerivedSchema();
        for (RowType.RowField field : row.getFields()) {
            String comment =
                    comments.getOrDefault(field.getName(), field.getDescription().orElse(""));
            schema.columnOf(message, field.getName(), field.getType(), comment);
        }
        String packageName = dot < 0 ? "" : messageName.substring(0, dot);
        String text = message.print(packageName, schema.imports);
        return new SchemaFile("the schema derived from the table", text, List.of());
    }

    private void columnOf(DerivedMessage message, String name, LogicalType type, String comment) {
        try {
            column(message, name, type, comment);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    String.format("Column '%s' has no place in a schema: %s", name, e.getMessage()),
                    e);
        }
    }

    /** T4, T5: one column, or one part of a generated message, as the next field. */
    private void column(DerivedMessage message, String name, LogicalType type, String comment) {
        switch (type.getTypeRoot()) {
            case ARRAY:
            case MAP:
            case MULTISET:
                if (type.isNullable()) {
                    wrappedCollection(message, name, type, comment);
                } else {
                    collection(message, name, type, comment);
                }
                return;
            default:
                String label = type.isNullable() ? "optional" : "";
                message.field(
                        name, label, typeName(message, name, type), comment, parameters(type));
        }
    }

    /** T9. */
    private void wrappedCollection(
            DerivedMessage message, String name, LogicalType type, String comment) {
        DerivedMessage wrapper = message.nest(name + "RepeatedWrapper");
        column(wrapper, "value", type.copy(false), "");
        Map<String, String> parameters = versioned();
        parameters.put("flink.wrapped", "true");
        if (type instanceof MultisetType) {
            parameters.put("flink.type", "multiset");
        }
        message.field(name, "", name + "RepeatedWrapper", comment, parameters);
    }

    private void collection(DerivedMessage message, String name, LogicalType type, String comment) {
        if (type instanceof ArrayType) {
            LogicalType element = ((ArrayType) type).getElementType();
            array(message, name, element, comment);
            return;
        }
        String entryName = entryName(name);
        DerivedMessage entry = message.nest(entryName);
        Map<String, String> parameters = new LinkedHashMap<>();
        if (type instanceof MapType) {
            column(entry, "key", ((MapType) type).getKeyType(), "");
            column(entry, "value", ((MapType) type).getValueType(), "");
        } else {
            column(entry, "key", ((MultisetType) type).getElementType(), "");
            column(entry, "value", new IntType(false), "");
            parameters.put("flink.version", "1");
            parameters.put("flink.type", "multiset");
        }
        message.field(name, "repeated", entryName, comment, parameters);
    }

    /** T10: an element that a repeated field cannot hold stands in a wrapper. */
    private void array(DerivedMessage message, String name, LogicalType element, String comment) {
        boolean isCollection =
                element instanceof ArrayType
                        || element instanceof MapType
                        || element instanceof MultisetType;
        if (!element.isNullable() && !isCollection) {
            String type = typeName(message, name, element);
            message.field(name, "repeated", type, comment, parameters(element));
            return;
        }
        DerivedMessage wrapper = message.nest(name + "ElementWrapper");
        column(wrapper, "value", element, "");
        Map<String, String> parameters = versioned();
        parameters.put("flink.wrapped", "true");
        message.field(name, "repeated", name + "ElementWrapper", comment, parameters);
    }

    private String typeName(DerivedMessage message, String name, LogicalType type) {
        switch (type.getTypeRoot()) {
            case BOOLEAN:
                return "bool";
            case TINYINT:
            case SMALLINT:
            case INTEGER:
                return "int32";
            case BIGINT:
                return "int64";
            case FLOAT:
                return "float";
            case DOUBLE:
                return "double";
            case CHAR:
            case VARCHAR:
                return "string";
            case BINARY:
            case VARBINARY:
                return "bytes";
            case DATE:
                return imported("google/type/date.proto", ".google.type.Date");
            case TIME_WITHOUT_TIME_ZONE:
                return imported("google/type/timeofday.proto", ".google.type.TimeOfDay");
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                return imported("google/protobuf/timestamp.proto", ".google.protobuf.Timestamp");
            case DECIMAL:
                return imported("confluent/type/decimal.proto", ".confluent.type.Decimal");
            case ROW:
                DerivedMessage row = message.nest(name + "_Row");
                for (RowType.RowField field : ((RowType) type).getFields()) {
                    column(
                            row,
                            field.getName(),
                            field.getType(),
                            field.getDescription().orElse(""));
                }
                return name + "_Row";
            default:
                throw new IllegalArgumentException("no field can hold " + type.asSummaryString());
        }
    }

    private String imported(String path, String type) {
        imports.add(path);
        return type;
    }

    /** T4 to T6, in the order in which Confluent writes them. */
    private static Map<String, String> parameters(LogicalType type) {
        Map<String, String> parameters = new LinkedHashMap<>();
        if (!type.isNullable() && isMessage(type)) {
            parameters.put("flink.notNull", "true");
        }
        switch (type.getTypeRoot()) {
            case TINYINT:
                parameters.put("connect.type", "int8");
                break;
            case SMALLINT:
                parameters.put("connect.type", "int16");
                break;
            case CHAR:
                length(parameters, ((CharType) type).getLength(), true);
                break;
            case VARCHAR:
                length(parameters, ((VarCharType) type).getLength(), false);
                break;
            case BINARY:
                length(parameters, ((BinaryType) type).getLength(), true);
                break;
            case VARBINARY:
                length(parameters, ((VarBinaryType) type).getLength(), false);
                break;
            case TIME_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
                precision(parameters, type);
                break;
            case TIMESTAMP_WITHOUT_TIME_ZONE:
                precision(parameters, type);
                parameters.put("flink.type", "timestamp");
                break;
            case DECIMAL:
                DecimalType decimal = (DecimalType) type;
                parameters.put("precision", Integer.toString(decimal.getPrecision()));
                parameters.put("scale", Integer.toString(decimal.getScale()));
                break;
            default:
                break;
        }
        if (parameters.isEmpty()) {
            return parameters;
        }
        Map<String, String> all = versioned();
        all.putAll(parameters);
        return all;
    }

    private static void length(Map<String, String> parameters, int length, boolean isFixed) {
        if (isFixed && length > 0) {
            parameters.put("flink.minLength", Integer.toString(length));
        }
        if (length != VarCharType.MAX_LENGTH) {
            parameters.put("flink.maxLength", Integer.toString(length));
        }
    }

    private static void precision(Map<String, String> parameters, LogicalType type) {
        int precision = LogicalTypeChecks.getPrecision(type);
        if (precision != PRECISION_DEFAULT) {
            parameters.put("flink.precision", Integer.toString(precision));
        }
    }

    private static boolean isMessage(LogicalType type) {
        switch (type.getTypeRoot()) {
            case DATE:
            case TIME_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITHOUT_TIME_ZONE:
            case TIMESTAMP_WITH_LOCAL_TIME_ZONE:
            case DECIMAL:
            case ROW:
                return true;
            default:
                return false;
        }
    }

    private static Map<String, String> versioned() {
        Map<String, String> parameters = new LinkedHashMap<>();
        parameters.put("flink.version", "1");
        return parameters;
    }

    /** T7: words split at underscores, the first letter of each raised, all others lowered. */
    static String entryName(String field) {
        StringBuilder name = new StringBuilder();
        for (String word : field.split("_")) {
            if (!word.isEmpty()) {
                name.append(Character.toUpperCase(word.charAt(0)))
                        .append(word.substring(1).toLowerCase(java.util.Locale.ROOT));
            }
        }
        return name.append("Entry").toString();
    }
}
