package dev.sluice.flink.schema;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;

import java.util.LinkedHashMap;
import java.util.Map;

/** What {@code confluent.field_meta} says of a field in its {@code params} (T5). */
public final class FieldParameters {
    private FieldParameters() {}

    /** The parameters by key; the last value of a key wins. Empty where there are none. */
    public static Map<String, String> of(FieldDescriptor field) {
        Map<String, String> parameters = new LinkedHashMap<>();
        Message meta = KnownExtensions.meta(field.getOptions());
        if (meta == null) {
            return parameters;
        }
        FieldDescriptor params = meta.getDescriptorForType().findFieldByName("params");
        for (int i = 0; i < meta.getRepeatedFieldCount(params); i++) {
            Message entry = (Message) meta.getRepeatedField(params, i);
            parameters.put(member(entry, "key"), member(entry, "value"));
        }
        return parameters;
    }

    private static String member(Message entry, String name) {
        return (String) entry.getField(entry.getDescriptorForType().findFieldByName(name));
    }
}
