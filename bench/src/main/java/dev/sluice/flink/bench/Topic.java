package dev.sluice.flink.bench;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.UnknownFieldSet;

import dev.sluice.flink.ProtoConfluentFormatFactory;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * A topic whose records are framed with the schema ids of several writers: payloads {@code
 * evolution}, three versions of a message in turns, and {@code ids-1000}, as many schemas. Flink's
 * format, which knows no frames, is given the bare messages.
 */
final class Topic {
    private static final int FRAME_BYTES = 6;

    private final Payload payload;
    private final SchemaServer registry;
    private final Map<Integer, Descriptor> writers = new HashMap<>();
    private final byte[][] framed;

    /** Whether a payload of this name is a topic. */
    static boolean isNamed(String payload) {
        return payload.equals("evolution") || payload.equals("ids-1000");
    }

    /**
     * @param payload all fields of the newest version set; those that a version lacks are taken out
     */
    Topic(Payload payload) throws Exception {
        registry = new SchemaServer();
        int ids = payload.name().equals("evolution") ? 3 : 1000;
        for (int id = 1; id <= ids; id++) {
            int version = 1 + id % 3;
            Descriptor writer =
                    WriterVersions.descriptor(
                            payload.descriptor(), WriterVersions.fields(version), id);
            writers.put(id, writer);
            registry.add(id, WriterVersions.text(writer));
        }
        Random random = new Random(ids);
        byte[][] bare = new byte[payload.records().length][];
        framed = new byte[bare.length][];
        for (int i = 0; i < bare.length; i++) {
            int id = 1 + random.nextInt(ids);
            bare[i] = written(payload.records()[i], writers.get(id));
            framed[i] = framed(id, bare[i]);
        }
        this.payload =
                new Payload(
                        payload.name(),
                        payload.prototype(),
                        payload.row(),
                        payload.readDefaults(),
                        bare);
    }

    /** The message as a writer that lacks some of its fields would have written it. */
    private static byte[] written(byte[] newest, Descriptor writer) throws Exception {
        DynamicMessage read = DynamicMessage.parseFrom(writer, newest);
        return read.toBuilder()
                .setUnknownFields(UnknownFieldSet.getDefaultInstance())
                .build()
                .toByteArray();
    }

    static byte[] framed(int id, byte[] message) {
        return ByteBuffer.allocate(FRAME_BYTES + message.length)
                .put((byte) 0)
                .putInt(id)
                .put((byte) 0)
                .put(message)
                .array();
    }

    /** Path {@code decode}, opened and verified. */
    List<Contender> decode() throws Exception {
        byte[][][] bareBatches = payload.batches(Settings.BATCH);
        byte[][][] batches =
                new Payload(payload.name(), payload.prototype(), payload.row(), false, framed)
                        .batches(Settings.BATCH);
        DeserializationSchema<RowData> flink = new Formats(payload).flinkReader();
        Map<String, RecordReader> readers = new LinkedHashMap<>();
        readers.put("dynamic", dynamic());
        DeserializationSchema<RowData> java = reader("java", "binary");
        readers.put("java", record -> java.deserialize(record));
        DeserializationSchema<RowData> generic = reader("native", "generic");
        readers.put("native-generic", record -> generic.deserialize(record));
        DeserializationSchema<RowData> binary = reader("native", "binary");
        readers.put("native-binary", record -> binary.deserialize(record));
        List<Contender> contenders = new ArrayList<>();
        contenders.add(own(Measurement.FLINK, bareBatches, record -> flink.deserialize(record)));
        for (Map.Entry<String, RecordReader> each : readers.entrySet()) {
            require(each.getKey(), each.getValue());
            contenders.add(own(each.getKey(), batches, each.getValue()));
        }
        return contenders;
    }

    private static Contender own(String name, byte[][][] batches, RecordReader reader)
            throws Exception {
        return Contender.withOwnLoop(name, ReadLoop.class, batches, reader);
    }

    private void require(String name, RecordReader reader) throws Exception {
        Map<byte[], byte[]> bare = new IdentityHashMap<>();
        for (int i = 0; i < framed.length; i++) {
            bare.put(framed[i], payload.records()[i]);
        }
        DeserializationSchema<RowData> flink = new Formats(payload).flinkReader();
        Agreement agreement =
                new Agreement(payload.row(), record -> flink.deserialize(bare.get(record)));
        agreement.require(name, reader, framed);
    }

    private DeserializationSchema<RowData> reader(String engine, String rows) throws Exception {
        return reader(registry, payload.row(), engine, rows);
    }

    static DeserializationSchema<RowData> reader(
            SchemaServer registry, RowType row, String engine, String rows) throws Exception {
        Map<String, String> options = new HashMap<>();
        options.put("url", registry.url());
        options.put("topic", "records");
        options.put("engine", engine);
        options.put("row-format", rows);
        options.put("validate-at-planning", "false");
        return new TableFormat(row, "kafka", options).openReader(new ProtoConfluentFormatFactory());
    }

    /** Reads the id and takes the converter of its schema, as formats for registries do. */
    private RecordReader dynamic() {
        Map<Integer, DynamicReader> known = new HashMap<>();
        IntFunction<DynamicReader> opener =
                id -> new DynamicReader(writers.get(id), payload.row(), false);
        return record -> {
            ByteBuffer frame = ByteBuffer.wrap(record, 1, FRAME_BYTES - 1);
            DynamicReader reader = known.computeIfAbsent(frame.getInt(), opener::apply);
            return reader.read(record, FRAME_BYTES);
        };
    }
}
