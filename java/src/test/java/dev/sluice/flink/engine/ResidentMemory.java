package dev.sluice.flink.engine;

import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.function.IntFunction;

/**
 * One task's life in a JVM of its own, whose heap was touched before: so resident memory that grows
 * is native. Prints what it was, in KiB.
 */
public final class ResidentMemory {
    private static final String COLUMNS = "id BIGINT, name STRING";

    private ResidentMemory() {}

    /**
     * @param arguments a way to live, and its numbers
     */
    public static void main(String[] arguments) throws Exception {
        int[] numbers = Arrays.stream(arguments).skip(2).mapToInt(Integer::parseInt).toArray();
        Engine engine = Engine.valueOf(arguments[1]);
        switch (arguments[0]) {
            case "ids":
                WriterSchema one = schema("");
                readIds(engine, id -> one, numbers);
                break;
            case "texts":
                readIds(engine, id -> schema(" int32 only_in_" + id + " = 9;"), numbers);
                break;
            case "wide":
                readIds(engine, ResidentMemory::wide, numbers);
                break;
            default:
                readHuge(engine, numbers[0], numbers[1]);
        }
    }

    private static WriterSchema schema(String own) {
        try {
            return WriterSchema.of(
                    "syntax = 'proto3'; message Order { int64 id = 1; string name = 2;" + own + "}",
                    Map.of());
        } catch (SchemaException e) {
            throw new AssertionError(e);
        }
    }

    /** Of 2,000 fields, like no other. */
    private static WriterSchema wide(int id) {
        StringBuilder fields = new StringBuilder();
        for (int number = 10; number < 2010; number++) {
            fields.append(" int32 f").append(number).append("_").append(id);
            fields.append(" = ").append(number).append(";");
        }
        return schema(fields.toString());
    }

    /** Reads a record of each schema id from 1 up to each of the numbers. */
    private static void readIds(Engine engine, IntFunction<WriterSchema> registry, int[] numbers)
            throws Exception {
        try (RecordDecoder decoder = open(engine, registry)) {
            int id = 0;
            tell();
            for (int number : numbers) {
                while (id < number) {
                    decoder.decode(record(++id, 1));
                }
                tell();
            }
        }
    }

    /** Reads a huge record between small ones, some times, singly and in polls. */
    private static void readHuge(Engine engine, int bytes, int times) throws Exception {
        WriterSchema schema = schema("");
        byte[] huge = record(1, bytes);
        byte[][] small = new byte[500][];
        Arrays.fill(small, record(1, 10));
        try (RecordDecoder decoder = open(engine, id -> schema)) {
            readPolls(decoder, small, 1);
            tell();
            for (int time = 0; time < times; time++) {
                decoder.decode(huge);
                readPolls(decoder, new byte[][] {small[0], huge, small[0]}, 1);
                tell();
                for (int at = 0; at < 10_000; at++) {
                    decoder.decode(small[0]);
                }
                readPolls(decoder, small, 20);
                tell();
            }
        }
    }

    private static void readPolls(RecordDecoder decoder, byte[][] poll, int times) {
        if (decoder instanceof PollDecoder) {
            for (int time = 0; time < times; time++) {
                int count = poll.length;
                ((PollDecoder) decoder)
                        .decodeAll(null, poll, count, 1 << 30, new byte[count][], new int[count]);
            }
        }
    }

    private static RecordDecoder open(Engine engine, IntFunction<WriterSchema> registry)
            throws RecordException {
        WriterSchemas schemas =
                new WriterSchemas() {
                    @Override
                    public WriterMessage resolve(SchemaKey key, int[] indexes) {
                        try {
                            return WriterMessage.of(
                                    registry.apply(key.id()),
                                    indexes,
                                    SchemaOrigin.ofId(key.id(), null));
                        } catch (SchemaException e) {
                            throw new AssertionError(e);
                        }
                    }
                };
        return Records.open(engine, Records.plan(Records.row(COLUMNS)), schemas);
    }

    private static byte[] record(int id, int nameBytes) throws IOException {
        ByteArrayOutputStream record = new ByteArrayOutputStream();
        record.write(ByteBuffer.allocate(6).put((byte) 0).putInt(id).array());
        record.write(new byte[] {8, 1, 18});
        for (int rest = nameBytes; ; rest >>>= 7) {
            if (rest < 128) {
                record.write(rest);
                break;
            }
            record.write(rest & 127 | 128);
        }
        record.write("x".repeat(nameBytes).getBytes());
        return record.toByteArray();
    }

    private static void tell() throws IOException {
        System.gc();
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("VmRSS:")) {
                System.out.println(line.replaceAll("\\D", ""));
            }
        }
    }
}
