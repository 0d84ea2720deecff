package dev.sluice.flink.bench;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Message;

import org.apache.flink.table.types.logical.RowType;

import java.util.Arrays;

/**
 * Records of one shape, and the columns of a table over them.
 *
 * @param name as the results call it
 * @param prototype of the generated class
 * @param row columns, named and typed after fields of the message
 * @param readDefaults whether the table reads absent fields as their defaults
 * @param records bare messages that differ, so that branch prediction learns none by heart
 */
record Payload(
        String name, Message prototype, RowType row, boolean readDefaults, byte[][] records) {

    Descriptor descriptor() {
        return prototype.getDescriptorForType();
    }

    /** Binary name of the generated class, as {@code message-class-name} wants it. */
    String className() {
        return prototype.getClass().getName();
    }

    double meanBytes() {
        return Arrays.stream(records).mapToInt(record -> record.length).average().orElse(0);
    }

    /** The records in batches of one size; those that fill no batch are left out. */
    byte[][][] batches(int size) {
        byte[][][] batches = new byte[records.length / size][][];
        Arrays.setAll(batches, at -> Arrays.copyOfRange(records, at * size, at * size + size));
        return batches;
    }
}
