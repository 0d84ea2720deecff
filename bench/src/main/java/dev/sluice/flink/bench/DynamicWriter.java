package dev.sluice.flink.bench;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import org.apache.flink.table.data.ArrayData;
import org.apache.flink.table.data.MapData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;

import java.util.ArrayList;
import java.util.List;

/** Contender {@code dynamic}, the other way round: a row into a {@code DynamicMessage}. */
final class DynamicWriter implements RowWriter {

    private interface Converter {
        Object convert(Object value);
    }

    private final Converter root;

    DynamicWriter(Descriptor message, RowType row) {
        root = row(message, row);
    }

    @Override
    public byte[] write(RowData row) {
        return ((Message) root.convert(row)).toByteArray();
    }

    private static Converter row(Descriptor message, RowType row) {
        int count = row.getFieldCount();
        FieldDescriptor[] fields = new FieldDescriptor[count];
        RowData.FieldGetter[] getters = new RowData.FieldGetter[count];
        Converter[] converters = new Converter[count];
        for (int i = 0; i < count; i++) {
            fields[i] = message.findFieldByName(row.getFieldNames().get(i));
            getters[i] = RowData.createFieldGetter(row.getTypeAt(i), i);
            converters[i] = field(fields[i], row.getTypeAt(i));
        }
        return value -> {
            DynamicMessage.Builder built = DynamicMessage.newBuilder(message);
            for (int i = 0; i < count; i++) {
                Object column = getters[i].getFieldOrNull((RowData) value);
                if (column != null) {
                    built.setField(fields[i], converters[i].convert(column));
                }
            }
            return built.build();
        };
    }

    private static Converter field(FieldDescriptor field, LogicalType type) {
        if (field.isMapField()) {
            return map(field.getMessageType(), type);
        }
        if (!field.isRepeated()) {
            return single(field, type);
        }
        LogicalType elementType = type.getChildren().get(0);
        ArrayData.ElementGetter getter = ArrayData.createElementGetter(elementType);
        Converter element = single(field, elementType);
        return value -> {
            ArrayData array = (ArrayData) value;
            List<Object> list = new ArrayList<>(array.size());
            for (int i = 0; i < array.size(); i++) {
                list.add(element.convert(getter.getElementOrNull(array, i)));
            }
            return list;
        };
    }

    private static Converter map(Descriptor entry, LogicalType type) {
        FieldDescriptor keyField = entry.findFieldByNumber(1);
        FieldDescriptor valueField = entry.findFieldByNumber(2);
        LogicalType keyType = type.getChildren().get(0);
        LogicalType valueType = type.getChildren().get(1);
        ArrayData.ElementGetter keyGetter = ArrayData.createElementGetter(keyType);
        ArrayData.ElementGetter valueGetter = ArrayData.createElementGetter(valueType);
        Converter keyConverter = single(keyField, keyType);
        Converter valueConverter = single(valueField, valueType);
        return value -> {
            ArrayData keys = ((MapData) value).keyArray();
            ArrayData values = ((MapData) value).valueArray();
            List<Message> entries = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                Object key = keyConverter.convert(keyGetter.getElementOrNull(keys, i));
                Object each = valueConverter.convert(valueGetter.getElementOrNull(values, i));
                entries.add(
                        DynamicMessage.newBuilder(entry)
                                .setField(keyField, key)
                                .setField(valueField, each)
                                .build());
            }
            return entries;
        };
    }

    private static Converter single(FieldDescriptor field, LogicalType type) {
        switch (field.getJavaType()) {
            case STRING:
                return Object::toString;
            case ENUM:
                EnumDescriptor known = field.getEnumType();
                return value -> known.findValueByName(value.toString());
            case BYTE_STRING:
                return value -> ByteString.copyFrom((byte[]) value);
            case MESSAGE:
                return row(field.getMessageType(), (RowType) type);
            default:
                return value -> value;
        }
    }
}
