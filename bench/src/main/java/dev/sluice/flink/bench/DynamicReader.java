package dev.sluice.flink.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import org.apache.flink.table.data.GenericArrayData;
import org.apache.flink.table.data.GenericMapData;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Contender {@code dynamic}: {@code DynamicMessage} and converters that were chosen once per
 * column, which is how formats for schema registries read today.
 */
final class DynamicReader implements RecordReader {

    private interface Converter {
        Object convert(Object value);
    }

    private final Descriptor message;
    private final boolean readDefaults;
    private final Converter root;

    DynamicReader(Payload payload) {
        this(payload.descriptor(), payload.row(), payload.readDefaults());
    }

    DynamicReader(Descriptor message, RowType row, boolean readDefaults) {
        this.message = message;
        this.readDefaults = readDefaults;
        root = row(message, row);
    }

    @Override
    public RowData read(byte[] record) throws Exception {
        return read(record, 0);
    }

    /**
     * @param from where the message begins, behind a frame
     */
    RowData read(byte[] record, int from) throws Exception {
        CodedInputStream in = CodedInputStream.newInstance(record, from, record.length - from);
        return (RowData) root.convert(DynamicMessage.parseFrom(message, in));
    }

    private Converter row(Descriptor message, RowType row) {
        int count = row.getFieldCount();
        FieldDescriptor[] fields = new FieldDescriptor[count];
        Converter[] converters = new Converter[count];
        boolean[] readIfAbsent = new boolean[count];
        for (int i = 0; i < count; i++) {
            fields[i] = message.findFieldByName(row.getFieldNames().get(i));
            if (fields[i] == null) {
                continue; // not in this writer's schema: NULL
            }
            readIfAbsent[i] = isReadIfAbsent(fields[i]);
            converters[i] = field(fields[i], row.getTypeAt(i));
        }
        return value -> {
            Message read = (Message) value;
            GenericRowData converted = new GenericRowData(count);
            for (int i = 0; i < count; i++) {
                if (fields[i] != null && (readIfAbsent[i] || isThere(read, fields[i]))) {
                    converted.setField(i, converters[i].convert(read.getField(fields[i])));
                }
            }
            return converted;
        };
    }

    /** An absent scalar of proto3 is its default; what else is absent is NULL unless asked for. */
    private boolean isReadIfAbsent(FieldDescriptor field) {
        boolean isSimple =
                !field.isRepeated() && field.getJavaType() != FieldDescriptor.JavaType.MESSAGE;
        return readDefaults || isSimple && field.getFile().toProto().getSyntax().equals("proto3");
    }

    private static boolean isThere(Message message, FieldDescriptor field) {
        return field.isRepeated()
                ? message.getRepeatedFieldCount(field) > 0
                : message.hasField(field);
    }

    private Converter field(FieldDescriptor field, LogicalType type) {
        if (field.isMapField()) {
            return map(field.getMessageType(), type);
        }
        if (!field.isRepeated()) {
            return single(field, type);
        }
        Converter element = single(field, type.getChildren().get(0));
        return value -> {
            List<?> list = (List<?>) value;
            Object[] elements = new Object[list.size()];
            for (int i = 0; i < elements.length; i++) {
                elements[i] = element.convert(list.get(i));
            }
            return new GenericArrayData(elements);
        };
    }

    private Converter map(Descriptor entry, LogicalType type) {
        FieldDescriptor keyField = entry.findFieldByNumber(1);
        FieldDescriptor valueField = entry.findFieldByNumber(2);
        Converter keys = single(keyField, type.getChildren().get(0));
        Converter values = single(valueField, type.getChildren().get(1));
        return value -> {
            Map<Object, Object> map = new HashMap<>();
            for (Object each : (List<?>) value) {
                Message read = (Message) each;
                map.put(
                        keys.convert(read.getField(keyField)),
                        values.convert(read.getField(valueField)));
            }
            return new GenericMapData(map);
        };
    }

    private Converter single(FieldDescriptor field, LogicalType type) {
        switch (field.getJavaType()) {
            case STRING:
                return value -> StringData.fromString((String) value);
            case ENUM:
                return value -> StringData.fromString(((EnumValueDescriptor) value).getName());
            case BYTE_STRING:
                return value -> ((ByteString) value).toByteArray();
            case MESSAGE:
                return row(field.getMessageType(), (RowType) type);
            default:
                return value -> value;
        }
    }
}
