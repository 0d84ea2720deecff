package dev.sluice.flink.bench;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.Message;

import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.table.types.logical.utils.LogicalTypeParser;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.Set;

/**
 * A payload that the user gives: a file of length-delimited records, the class that was generated
 * for its message, and columns. A properties file takes it from the command to the {@link Fork}.
 *
 * @param columns names of fields, or as in {@code CREATE TABLE}; empty for all fields
 */
record GivenPayload(String className, Path records, String columns) {

    /** What a fork is told instead of the name of a payload. */
    static final String PREFIX = "file:";

    void write(Path file) throws IOException {
        Properties properties = new Properties();
        properties.setProperty("class", className);
        properties.setProperty("records", records.toString());
        properties.setProperty("columns", columns);
        try (Writer out = Files.newBufferedWriter(file)) {
            properties.store(out, null);
        }
    }

    static GivenPayload read(Path file) throws IOException {
        Properties properties = new Properties();
        try (InputStream in = Files.newInputStream(file)) {
            properties.load(in);
        }
        return new GivenPayload(
                properties.getProperty("class"),
                Path.of(properties.getProperty("records")),
                properties.getProperty("columns"));
    }

    /** The name in the results: that of the message, in small letters. */
    static String name(String message) {
        String simple = message.substring(message.lastIndexOf('.') + 1);
        return simple.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
    }

    /**
     * @param count how many records; those of the file are repeated, or the first ones taken
     */
    Payload open(int count) throws Exception {
        Class<?> generated =
                Class.forName(className, true, Thread.currentThread().getContextClassLoader());
        Message prototype = (Message) generated.getMethod("getDefaultInstance").invoke(null);
        List<byte[]> known = readDelimited(records);
        if (known.isEmpty()) {
            throw new IOException(records + " holds no record");
        }
        byte[][] all = new byte[count][];
        Arrays.setAll(all, at -> known.get(at % known.size()));
        String name = name(prototype.getDescriptorForType().getFullName());
        return new Payload(name, prototype, row(prototype), false, all);
    }

    private RowType row(Message prototype) {
        String given = columns.trim();
        if (given.isEmpty()) {
            return Columns.of(prototype.getDescriptorForType());
        }
        if (given.matches("[\\w, ]+") && !given.matches(".*\\w +\\w.*")) {
            Set<String> names = Set.of(given.split(" *, *"));
            return Columns.of(
                    prototype.getDescriptorForType(), field -> names.contains(field.getName()));
        }
        return (RowType)
                LogicalTypeParser.parse("ROW<" + given + ">", GivenPayload.class.getClassLoader());
    }

    /** Records, each after its length as a varint: what {@code writeDelimitedTo} writes. */
    private static List<byte[]> readDelimited(Path file) throws IOException {
        List<byte[]> records = new ArrayList<>();
        CodedInputStream in = CodedInputStream.newInstance(Files.readAllBytes(file));
        while (!in.isAtEnd()) {
            records.add(in.readRawBytes(in.readRawVarint32()));
        }
        return records;
    }
}
