package dev.sluice.flink.engine.agreement;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.OneofDescriptor;

import dev.sluice.flink.plan.Column;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A random row over a message: some of its fields in any order, each as one of the SQL types that
 * can hold it, and now and then one that can not, so that engines must refuse alike as well.
 */
final class RandomColumns {
    private static final int LEVELS_MAX = 4;
    private static final SqlKind[] ANY = {
        SqlKind.INTEGER,
        SqlKind.BIGINT,
        SqlKind.VARCHAR,
        SqlKind.VARBINARY,
        SqlKind.DECIMAL,
        SqlKind.TIMESTAMP,
        SqlKind.BOOLEAN,
        SqlKind.DATE,
        SqlKind.SMALLINT,
        SqlKind.DOUBLE
    };
    private static final Map<String, SqlKind[]> SPECIAL =
            Map.ofEntries(
                    Map.entry(
                            "google.protobuf.Timestamp",
                            new SqlKind[] {SqlKind.TIMESTAMP, SqlKind.TIMESTAMP_LTZ}),
                    Map.entry("google.type.Date", new SqlKind[] {SqlKind.DATE}),
                    Map.entry("google.type.TimeOfDay", new SqlKind[] {SqlKind.TIME}),
                    Map.entry("confluent.type.Decimal", new SqlKind[] {SqlKind.DECIMAL}));

    private final Random random;
    private final boolean flink;
    private final int strange; // one column in so many is of a type that does not fit
    // Messages as bytes, or messages that are read twice: of both in one table, engines may differ
    // in whether they look into the bytes (decision 0010).
    private final boolean opaque;

    RandomColumns(Random random, Profile profile) {
        this.random = random;
        this.flink = profile == Profile.FLINK;
        this.opaque = random.nextBoolean();
        this.strange = random.nextInt(4) == 0 ? 30 : Integer.MAX_VALUE;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** A row over {@code message}. */
    SqlType row(Descriptor message) {
        return row(message, 0).build();
    }

    private SqlType.Builder row(Descriptor message, int level) {
        List<Column> columns = new ArrayList<>();
        for (FieldDescriptor field : message.getFields()) {
            boolean deep = level >= LEVELS_MAX && field.getType() == FieldDescriptor.Type.MESSAGE;
            if (!chance(4) && !deep) {
                columns.add(column(columnName(field), field(field, level)));
            }
        }
        if (!flink && level < LEVELS_MAX) {
            for (OneofDescriptor oneof : message.getRealOneofs()) {
                if (chance(2)) {
                    Set<String> own = names(columns);
                    columns.add(column(oneof.getName(), oneof(oneof, level, own)));
                }
            }
        }
        if (!flink && chance(15)) {
            columns.add(column("no_such_field", kind(SqlKind.VARCHAR)));
        }
        Collections.shuffle(columns, random);
        return kind(SqlKind.ROW).addAllColumns(columns);
    }

    private static Set<String> names(List<Column> columns) {
        return columns.stream().map(Column::getName).collect(Collectors.toSet());
    }

    private SqlType.Builder oneof(OneofDescriptor oneof, int level, Set<String> own) {
        SqlType.Builder row = kind(SqlKind.ROW);
        for (FieldDescriptor member : oneof.getFields()) {
            boolean isMessage = member.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
            boolean isOwn = own.contains(member.getName()) || own.contains(snake(member));
            if (!chance(4) && !(opaque && isMessage && isOwn)) {
                row.addColumns(column(columnName(member), field(member, level + 1)));
            }
        }
        return row;
    }

    /** The field's name, or one of which it is the camelCase form. */
    private String columnName(FieldDescriptor field) {
        boolean other = !flink && field.getName().startsWith("fooBar") && chance(2);
        return other ? snake(field) : field.getName();
    }

    private static String snake(FieldDescriptor field) {
        return field.getName().replace("fooBar", "foo_bar_");
    }

    private Column column(String name, SqlType.Builder type) {
        return Column.newBuilder().setName(name).setType(type.setNullable(!chance(40))).build();
    }

    private SqlType.Builder field(FieldDescriptor field, int level) {
        if (chance(strange)) {
            return kind(ANY[random.nextInt(ANY.length)]);
        }
        if (level > LEVELS_MAX + 2 && field.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
            return kind(SqlKind.ROW); // entries and wrappers may hold each other for ever
        }
        if (!field.isRepeated()) {
            return single(field, level);
        }
        if (field.isMapField() || !flink && isEntry(field) && chance(2)) {
            return map(field.getMessageType(), level);
        }
        return kind(SqlKind.ARRAY).setElement(nullable(single(field, level)));
    }

    private SqlType.Builder nullable(SqlType.Builder type) {
        return type.setNullable(!chance(30));
    }

    private static boolean isEntry(FieldDescriptor field) {
        return field.getType() == FieldDescriptor.Type.MESSAGE
                && hasPart(field.getMessageType(), "key")
                && hasPart(field.getMessageType(), "value");
    }

    private static boolean hasPart(Descriptor entry, String name) {
        return entry.findFieldByName(name) != null || oneofs(entry, name).findAny().isPresent();
    }

    private static Stream<OneofDescriptor> oneofs(Descriptor entry, String name) {
        return entry.getRealOneofs().stream().filter(oneof -> oneof.getName().equals(name));
    }

    private SqlType.Builder map(Descriptor entry, int level) {
        FieldDescriptor value = entry.findFieldByName("value");
        SqlType.Builder key = nullable(part(entry, "key", level));
        boolean counts = value != null && value.getType() == FieldDescriptor.Type.INT32;
        if (!flink && counts && chance(2)) {
            return kind(SqlKind.MULTISET).setElement(key);
        }
        return kind(SqlKind.MAP).setKey(key).setValue(nullable(part(entry, "value", level)));
    }

    /** Key or value: a field, or a oneof that is read as a ROW. */
    private SqlType.Builder part(Descriptor entry, String name, int level) {
        FieldDescriptor field = entry.findFieldByName(name);
        return field != null
                ? field(field, level + 1)
                : oneof(oneofs(entry, name).findAny().orElseThrow(), level + 1, Set.of());
    }

    private SqlType.Builder single(FieldDescriptor field, int level) {
        switch (field.getType()) {
            case BOOL:
                return kind(SqlKind.BOOLEAN);
            case INT32:
            case SINT32:
            case SFIXED32:
                return flink
                        ? kind(SqlKind.INTEGER)
                        : one(
                                SqlKind.INTEGER,
                                SqlKind.INTEGER,
                                SqlKind.BIGINT,
                                SqlKind.SMALLINT,
                                SqlKind.TINYINT);
            case UINT32:
            case FIXED32:
                return kind(flink ? SqlKind.INTEGER : SqlKind.BIGINT);
            case UINT64:
            case FIXED64:
                return flink || chance(2) ? kind(SqlKind.BIGINT) : decimal(20, 0);
            case INT64:
            case SINT64:
            case SFIXED64:
                return kind(SqlKind.BIGINT);
            case FLOAT:
                return flink ? kind(SqlKind.FLOAT) : one(SqlKind.FLOAT, SqlKind.DOUBLE);
            case DOUBLE:
                return kind(SqlKind.DOUBLE);
            case STRING:
                return one(SqlKind.VARCHAR, SqlKind.CHAR).setLength(3);
            case BYTES:
                return one(SqlKind.VARBINARY, SqlKind.BINARY).setLength(3);
            case ENUM:
                return flink
                        ? one(
                                SqlKind.VARCHAR,
                                SqlKind.INTEGER,
                                SqlKind.BIGINT,
                                SqlKind.TINYINT,
                                SqlKind.SMALLINT)
                        : one(SqlKind.VARCHAR, SqlKind.INTEGER, SqlKind.BIGINT);
            case GROUP:
                return row(field.getMessageType(), level + 1);
            default:
                return message(field, level);
        }
    }

    private SqlType.Builder message(FieldDescriptor field, int level) {
        Descriptor message = field.getMessageType();
        if (flink) {
            return row(message, level + 1);
        }
        if (opaque && chance(6)) {
            return kind(SqlKind.VARBINARY);
        }
        FieldDescriptor value = message.findFieldByName("value");
        String name = message.getFullName();
        boolean wrapper = name.startsWith("google.protobuf.") && name.endsWith("Value");
        boolean isWrapped = message.getName().startsWith("Wrap") && value != null;
        if (value != null && !chance(4) && (wrapper || isWrapped)) {
            return field(value, level + 1);
        }
        SqlKind[] special = SPECIAL.get(name);
        if (special == null || chance(6)) {
            return row(message, level + 1);
        }
        SqlKind kind = special[random.nextInt(special.length)];
        if (kind == SqlKind.DECIMAL) {
            int precision = 1 + random.nextInt(38);
            return decimal(precision, random.nextInt(precision + 1));
        }
        return kind(kind).setPrecision(random.nextInt(10));
    }

    private static SqlType.Builder decimal(int precision, int scale) {
        return kind(SqlKind.DECIMAL).setPrecision(precision).setScale(scale);
    }

    private SqlType.Builder one(SqlKind... kinds) {
        return kind(kinds[random.nextInt(kinds.length)]);
    }

    private static SqlType.Builder kind(SqlKind kind) {
        return SqlType.newBuilder().setKind(kind).setNullable(true);
    }
}
