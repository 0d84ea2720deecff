package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;

import dev.sluice.flink.engine.rowimage.ImageArray;
import dev.sluice.flink.engine.rowimage.ImageCell;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * FLINK: the entries of a {@code HashMap}, into which Flink's own format puts them. Values that are
 * replaced are written all the same, as they may lack a required field.
 */
final class HashedEntries {
    private final FieldDescriptor field;
    private final FieldDescriptor key;
    private final MessageWriter writer;
    private final boolean nullLacksRequired; // an empty message for a NULL lacks required fields

    HashedEntries(FieldDescriptor field, MessageWriter writer, boolean nullLacksRequired) {
        this.field = field;
        this.key = field.getMessageType().findFieldByName(MapPairs.KEY);
        this.writer = writer;
        this.nullLacksRequired = nullLacksRequired;
    }

    void write(DynamicMessage.Builder message, ImageArray[] sides) throws FaultException {
        Map<Object, DynamicMessage> entries = new HashMap<>();
        Set<Object> lacking = new HashSet<>(); // keys whose value is an empty message for a NULL
        for (int at = 0; at < sides[0].size(); at++) {
            DynamicMessage written = entry(writer, sides, at);
            Object boxed = written.getField(key);
            entries.put(boxed, written);
            if (nullLacksRequired && sides[1].cell(at) == null) {
                lacking.add(boxed);
            } else {
                lacking.remove(boxed);
            }
        }
        if (!lacking.isEmpty()) {
            throw CollectionWriters.nullLacksRequired().inside(Wrappers.VALUE);
        }
        entries.values().forEach(written -> message.addRepeatedField(field, written));
    }

    /** The message of one entry, of a map of any profile. */
    static DynamicMessage entry(MessageWriter writer, ImageArray[] sides, int at)
            throws FaultException {
        ImageCell[] pair = {sides[0].cell(at), sides[1].cell(at)};
        return writer.write(column -> pair[column]);
    }
}
