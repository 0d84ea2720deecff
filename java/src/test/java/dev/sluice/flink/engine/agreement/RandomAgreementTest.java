package dev.sluice.flink.engine.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.Descriptor;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.NativeRecordDecoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.WriterSchemas;
import dev.sluice.flink.engine.dynamic.DynamicRecordDecoder;
import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Limits;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.ReaderOptions;
import dev.sluice.flink.plan.SqlKind;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.UnframedRecords;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/**
 * Native code and the Java engine, which share nothing but the plan, accept the same records and
 * make the same bytes of them: random schemas, random rows over them, random and damaged records.
 *
 * <p>{@code -Psluice.seed=N} repeats a run, {@code -Psluice.seconds=N} makes it at least that long.
 */
class RandomAgreementTest {
    private static final int SCHEMAS = 1000;
    private static final int MESSAGES = 100;
    private static final SchemaOrigin ORIGIN =
            SchemaOrigin.ofId(7, new UUID(0x0102030405060708L, -9));
    private static final byte[] FRAME = {0, 0, 0, 0, 7, 0};

    private int rows;
    private int refused;
    private int refusedSchemas;

    @Test
    void onEveryRecordOfEverySchema() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        long end = System.nanoTime() + 1_000_000_000 * Long.getLong("sluice.seconds", 0);
        int schemas = 0;
        while (schemas < SCHEMAS || System.nanoTime() < end) {
            new Schema(seed + schemas).compare();
            schemas++;
        }
        System.out.printf(
                "RandomAgreementTest: seed %d, %d schemas, %d rows, %d records and %d tables"
                        + " refused%n",
                seed, schemas, rows, refused, refusedSchemas);
        // A generator whose records are all refused, or all read, would prove little.
        assertThat(rows).isGreaterThan(schemas * MESSAGES / 3);
        assertThat(refused).isGreaterThan(schemas * MESSAGES / 20);
        assertThat(refusedSchemas).isBetween(schemas / 100, schemas / 5);
    }

    /** One random schema, with one table over it. */
    private final class Schema {
        private final long seed;
        private final Random random;
        private final RandomFiles files;
        private final WriterMessage message;
        private final SqlType row;
        private final boolean unframed; // every other record has no frame
        private final byte[] plan;
        private final RandomRecord records;

        Schema(long seed) throws Exception {
            this.seed = seed;
            random = new Random(seed);
            files = new RandomFiles(random);
            Map<String, String> imports = new LinkedHashMap<>(files.files());
            String rootText = imports.remove("f" + (imports.size() - 1) + ".proto");
            String root = files.roots().get(random.nextInt(files.roots().size()));
            WriterSchema schema = WriterSchema.of(rootText, imports);
            message = WriterMessage.of(schema, schema.indexes(root), ORIGIN);
            Profile profile = random.nextBoolean() ? Profile.CONFLUENT : Profile.FLINK;
            row = new RandomColumns(random, profile).row(message.descriptor());
            unframed = random.nextInt(8) == 0;
            plan = plan(profile, schema.isProto3(root));
            records = new RandomRecord(random);
        }

        /** Metadata columns behind the others, in one plan of eight. */
        private List<String> metadata() {
            List<String> keys =
                    new ArrayList<>(List.of("schema-id", "message-name", "schema-guid"));
            Collections.shuffle(keys, random);
            return random.nextInt(8) == 0 ? keys.subList(0, 1 + random.nextInt(3)) : List.of();
        }

        private SqlType with(List<String> metadata) {
            SqlType.Builder whole = row.toBuilder();
            for (String key : metadata) {
                SqlKind kind = key.equals("schema-id") ? SqlKind.INTEGER : SqlKind.VARCHAR;
                whole.addColumnsBuilder()
                        .setName("_" + key)
                        .setType(SqlType.newBuilder().setKind(kind).setNullable(true));
            }
            return whole.build();
        }

        private byte[] plan(Profile profile, boolean proto3) {
            boolean all = random.nextInt(3) == 0;
            ReaderOptions.Builder reader = ReaderOptions.newBuilder();
            if (profile == Profile.FLINK) {
                reader.setReadDefaults(all).setReadSimpleDefaults(all || proto3);
            }
            if (unframed) {
                reader.setUnframedRecords(UnframedRecords.LATEST);
            }
            List<String> metadata = metadata();
            return Plan.newBuilder()
                    .addAllMetadata(metadata)
                    .setVersion(1)
                    .setBody(Body.PROTOBUF)
                    .setProfile(profile)
                    .setFraming(Framing.REGISTRY)
                    .setRow(with(metadata))
                    .setReader(reader)
                    .setMessage(MessageSelection.newBuilder().setWriterSchema(true))
                    .setLimits(
                            Limits.newBuilder()
                                    .setDepthMax(random.nextInt(4) == 0 ? 5 : 100)
                                    .setRecordBytesMax(1 << 20)
                                    .setBatchBytesMax(1 << 24))
                    .build()
                    .toByteArray();
        }

        void compare() throws Exception {
            WriterSchemas schemas =
                    new WriterSchemas() {
                        @Override
                        public WriterMessage resolve(SchemaKey key, int[] indexes) {
                            return message;
                        }

                        @Override
                        public WriterMessage resolveUnframed() {
                            return message;
                        }
                    };
            try (RecordDecoder fast = new NativeRecordDecoder(plan, schemas);
                    RecordDecoder plain = new DynamicRecordDecoder(plan, schemas)) {
                for (int i = 0; i < MESSAGES; i++) {
                    if (!compare(fast, plain, record(message.descriptor()))) {
                        refusedSchemas++;
                        return;
                    }
                }
            }
        }

        private byte[] record(Descriptor descriptor) {
            byte[] wire = records.message(descriptor);
            if (random.nextInt(3) == 0) {
                wire = records.damaged(wire);
            }
            if (unframed && random.nextBoolean()) {
                return wire;
            }
            byte[] record = Arrays.copyOf(FRAME, FRAME.length + wire.length);
            System.arraycopy(wire, 0, record, FRAME.length, wire.length);
            return record;
        }

        /** False if the table does not fit the schema, so that no record can be read. */
        private boolean compare(RecordDecoder fast, RecordDecoder plain, byte[] record)
                throws Exception {
            Outcome ours = Outcome.of(fast, record);
            Outcome theirs = Outcome.of(plain, record);
            if (!ours.agreesWith(theirs)) {
                throw new AssertionError(report(record, ours, theirs));
            }
            if (ours.row != null) {
                rows++;
            } else if (ours.isAboutTheTable()) {
                return false;
            } else {
                refused++;
            }
            return true;
        }

        private String report(byte[] record, Outcome ours, Outcome theirs) throws Exception {
            StringBuilder text = new StringBuilder("seed " + seed + "\n");
            files.files()
                    .forEach(
                            (name, file) ->
                                    text.append("// ").append(name).append('\n').append(file));
            Plan parsed = Plan.parseFrom(plan);
            return text.append(message.descriptor().getFullName())
                    .append(' ')
                    .append(parsed.getProfile())
                    .append(' ')
                    .append(parsed.getReader().toString().replace('\n', ' '))
                    .append("\nrow    ")
                    .append(RowText.of(row))
                    .append("\nrecord ")
                    .append(HexFormat.of().formatHex(record))
                    .append("\nnative ")
                    .append(ours)
                    .append("\njava   ")
                    .append(theirs)
                    .toString();
        }
    }

    /** A row's bytes or a refusal. */
    private static final class Outcome {
        private final byte[] row;
        private final RecordException refusal;

        private Outcome(byte[] row, RecordException refusal) {
            this.row = row;
            this.refusal = refusal;
        }

        static Outcome of(RecordDecoder decoder, byte[] record) throws Exception {
            try {
                return new Outcome(decoder.decode(record), null);
            } catch (RecordException e) {
                return new Outcome(null, e);
            }
        }

        /**
         * A table that does not fit is refused for the same reason; a record may have two faults.
         */
        boolean agreesWith(Outcome other) {
            if (refusal == null || other.refusal == null) {
                return Arrays.equals(row, other.row);
            }
            return refusal.code() != FailureCode.PANIC
                    && isAboutTheTable() == other.isAboutTheTable()
                    && (!isAboutTheTable() || refusal.code() == other.refusal.code());
        }

        boolean isAboutTheTable() {
            return refusal != null && refusal.code().number() / 100 == 4;
        }

        @Override
        public String toString() {
            return refusal != null ? refusal.getMessage() : HexFormat.of().formatHex(row);
        }
    }
}
