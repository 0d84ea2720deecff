package dev.sluice.flink.bench;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.sun.management.OperatingSystemMXBean;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.logical.RowType;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Path {@code schema-first}: the first record of a schema id that nobody has met. The schema is
 * fetched over HTTP, its text parsed, linked, resolved and compiled, and the record read. Measured
 * is CPU time of the process, the registry's on loopback included. Payloads {@code fields-20} and
 * {@code fields-2000} are schemas of so many fields, all of them columns.
 */
final class FirstRecords {
    private static final int FIELDS_PER_ROUND = 20_000; // the clock ticks every 10 ms
    private static final int IDS_PER_ROUND_MAX = 100;

    /**
     * Of the time that warms other paths up: there is much more code here, and compiling it would
     * be most of what is measured.
     */
    private static final int WARM_TIMES = 10;

    private static final Type[] TYPES = {
        Type.TYPE_INT64, Type.TYPE_STRING, Type.TYPE_DOUBLE, Type.TYPE_BOOL, Type.TYPE_INT32
    };
    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    private final SchemaServer registry;
    private final Descriptor message;
    private final RowType row;
    private final int idsPerRound;
    private int lastId;

    private FirstRecords(int fields) throws Exception {
        idsPerRound = Math.min(IDS_PER_ROUND_MAX, FIELDS_PER_ROUND / fields);
        registry = new SchemaServer();
        message = message(fields);
        row = Columns.of(message);
    }

    static List<Rounds.Times> run(String payload, Settings settings) throws Exception {
        int fields = Integer.parseInt(payload.substring(payload.indexOf('-') + 1));
        FirstRecords records = new FirstRecords(fields);
        Map<String, DeserializationSchema<RowData>> readers = new LinkedHashMap<>();
        readers.put("java", Topic.reader(records.registry, records.row, "java", "binary"));
        readers.put(
                "native-binary", Topic.reader(records.registry, records.row, "native", "binary"));
        Map<String, List<Double>> nanos = new LinkedHashMap<>();
        long warm = PROCESS.getProcessCpuTime() + WARM_TIMES * settings.warmMillis() * 1_000_000L;
        while (PROCESS.getProcessCpuTime() < warm) {
            for (DeserializationSchema<RowData> each : readers.values()) {
                records.nanosPerId(each);
            }
        }
        for (int round = 0; round < settings.jobRounds(); round++) {
            for (Map.Entry<String, DeserializationSchema<RowData>> each : readers.entrySet()) {
                nanos.computeIfAbsent(each.getKey(), name -> new ArrayList<>())
                        .add(records.nanosPerId(each.getValue()));
            }
        }
        return nanos.entrySet().stream()
                .map(each -> Rounds.Times.of(each.getKey(), each.getValue(), 0))
                .collect(Collectors.toList());
    }

    private double nanosPerId(DeserializationSchema<RowData> reader) throws Exception {
        byte[][] framed = new byte[idsPerRound][];
        for (int i = 0; i < framed.length; i++) {
            int id = ++lastId;
            Descriptor writer = WriterVersions.descriptor(message, number -> true, id);
            registry.add(id, WriterVersions.text(writer));
            framed[i] = Topic.framed(id, new byte[] {1 << 3, 42}); // field 1 is 42
        }
        long before = PROCESS.getProcessCpuTime();
        for (byte[] record : framed) {
            if (reader.deserialize(record).getLong(0) != 42) {
                throw new IllegalStateException("the record was not read");
            }
        }
        return (double) (PROCESS.getProcessCpuTime() - before) / framed.length;
    }

    private static Descriptor message(int fields) throws Exception {
        DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Grown");
        for (int at = 0; at < fields; at++) {
            // The number of the field that only one schema has is left free.
            message.addField(
                    FieldDescriptorProto.newBuilder()
                            .setName("f" + (at + 1))
                            .setNumber(at + 1 < WriterVersions.OWN_FIELD ? at + 1 : at + 2)
                            .setLabel(Label.LABEL_OPTIONAL)
                            .setType(TYPES[at % TYPES.length]));
        }
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder()
                        .setName("grown.proto")
                        .setPackage("sluice.bench")
                        .addMessageType(message)
                        .build();
        return FileDescriptor.buildFrom(file, new FileDescriptor[0]).getMessageTypes().get(0);
    }
}
