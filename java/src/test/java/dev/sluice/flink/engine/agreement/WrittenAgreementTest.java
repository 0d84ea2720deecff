package dev.sluice.flink.engine.agreement;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.NativeRecordDecoder;
import dev.sluice.flink.engine.NativeRecordEncoder;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordEncoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.engine.dynamic.DynamicRecordEncoder;
import dev.sluice.flink.engine.rowimage.RowImage;
import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.MessageSelection;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlType;
import dev.sluice.flink.plan.WriterOptions;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;

/**
 * Native code writes the bytes that protobuf-java's {@code DynamicMessage} serializes, and refuses
 * the same rows for the same reason at the same place: random schemas, tables over them, and rows
 * that were read or made up.
 *
 * <p>{@code -Psluice.seed=N} repeats a run, {@code -Psluice.seconds=N} makes it at least that long.
 */
class WrittenAgreementTest {
    private static final int SCHEMAS = 1500;
    private static final int MESSAGES = 40;
    private static final byte[] HEADER = {0, 0, 0, 0, 7, 0};

    private int records;
    private int refused;
    private int refusedTables;

    @Test
    void onEveryRowOfEverySchema() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        long end = System.nanoTime() + 1_000_000_000 * Long.getLong("sluice.seconds", 0);
        int schemas = 0;
        while (schemas < SCHEMAS || System.nanoTime() < end) {
            new Table(seed + schemas).compare();
            schemas++;
        }
        System.out.printf(
                "WrittenAgreementTest: seed %d, %d schemas, %d records, %d rows and %d tables"
                        + " refused%n",
                seed, schemas, records, refused, refusedTables);
        // A generator whose rows are all refused, or all written, would prove little.
        assertThat(refusedTables).isBetween(schemas / 50, schemas * 3 / 4);
        assertThat(records).isGreaterThan(schemas * MESSAGES / 20);
        assertThat(refused).isGreaterThan(schemas * MESSAGES / 100);
    }

    /** One random table over one random schema. */
    private final class Table {
        private final long seed;
        private final Random random;
        private final RandomFiles files;
        private final WriterMessage message;
        private final Profile profile;
        private final SqlType row;
        private final byte[] plan;

        Table(long seed) throws Exception {
            this.seed = seed;
            random = new Random(seed);
            files = new RandomFiles(random);
            Map<String, String> imports = new LinkedHashMap<>(files.files());
            String rootText = imports.remove("f" + (imports.size() - 1) + ".proto");
            String root = files.roots().get(random.nextInt(files.roots().size()));
            WriterSchema schema = WriterSchema.of(rootText, imports);
            message = WriterMessage.of(schema, schema.indexes(root), SchemaOrigin.NONE);
            profile = random.nextBoolean() ? Profile.CONFLUENT : Profile.FLINK;
            row = new RandomColumns(random, profile).row(message.descriptor());
            plan =
                    Plan.newBuilder()
                            .setVersion(1)
                            .setBody(Body.PROTOBUF)
                            .setProfile(profile)
                            .setFraming(Framing.REGISTRY)
                            .setRow(row)
                            .setMessage(MessageSelection.newBuilder().setWriterSchema(true))
                            .setWriter(
                                    WriterOptions.newBuilder()
                                            .setNullText(random.nextBoolean() ? "" : "nüll"))
                            .build()
                            .toByteArray();
        }

        void compare() throws Exception {
            RecordEncoder plain = null;
            RecordException why = null;
            try {
                plain = new DynamicRecordEncoder(plan, message, HEADER);
            } catch (RecordException e) {
                why = e;
            }
            try (RecordEncoder fast = new NativeRecordEncoder(plan, message, HEADER)) {
                assertThat(plain).as(() -> "only native code writes: " + text()).isNotNull();
                compare(fast, plain);
            } catch (RecordException e) {
                if (why == null || why.code() != e.code()) {
                    throw new AssertionError(text() + "\nnative " + e + "\njava   " + why, e);
                }
                refusedTables++;
            }
        }

        private void compare(RecordEncoder fast, RecordEncoder plain) throws Exception {
            RandomRecord wires = new RandomRecord(random);
            RowImage image = new RowImage(row);
            try (RecordDecoder decoder = new NativeRecordDecoder(plan, (key, indexes) -> message)) {
                for (int i = 0; i < MESSAGES; i++) {
                    byte[] wire = wires.message(message.descriptor());
                    byte[] record = Arrays.copyOf(HEADER, HEADER.length + wire.length);
                    System.arraycopy(wire, 0, record, HEADER.length, wire.length);
                    byte[] read;
                    try {
                        read = decoder.decode(record);
                    } catch (RecordException e) {
                        if (e.code().number() / 100 == 4) {
                            return;
                        }
                        continue;
                    }
                    RowValues values = new RowValues(random, random.nextInt(3) * 10);
                    compare(fast, plain, image.write(values.row(read, row)));
                }
            }
        }

        private void compare(RecordEncoder fast, RecordEncoder plain, byte[] image)
                throws Exception {
            Outcome ours = Outcome.of(fast, image);
            Outcome theirs = Outcome.of(plain, image);
            if (!ours.agreesWith(theirs)) {
                throw new AssertionError(
                        text()
                                + "\nimage  "
                                + HexFormat.of().formatHex(image)
                                + "\nnative "
                                + ours
                                + "\njava   "
                                + theirs);
            }
            if (ours.record == null) {
                refused++;
            } else {
                records++;
            }
        }

        private String text() {
            StringBuilder text = new StringBuilder("seed " + seed + "\n");
            files.files()
                    .forEach(
                            (name, file) ->
                                    text.append("// ").append(name).append('\n').append(file));
            return text.append(message.descriptor().getFullName())
                    .append(' ')
                    .append(profile)
                    .append("\nrow    ")
                    .append(RowText.of(row))
                    .toString();
        }
    }

    /** A record's bytes or a refusal. */
    private static final class Outcome {
        private final byte[] record;
        private final RecordException refusal;

        private Outcome(byte[] record, RecordException refusal) {
            this.record = record;
            this.refusal = refusal;
        }

        static Outcome of(RecordEncoder encoder, byte[] image) throws Exception {
            byte[] padded = new byte[image.length + 16];
            System.arraycopy(image, 0, padded, 8, image.length);
            try {
                return new Outcome(encoder.encode(padded, 8, image.length), null);
            } catch (RecordException e) {
                return new Outcome(null, e);
            }
        }

        /** A row may have two faults, and the engines go through it in different directions. */
        boolean agreesWith(Outcome other) {
            if (refusal == null || other.refusal == null) {
                return Arrays.equals(record, other.record);
            }
            return refusal.code() != FailureCode.PANIC
                    && refusal.code() != FailureCode.MALFORMED_ROW;
        }

        @Override
        public String toString() {
            return refusal != null ? refusal.getMessage() : HexFormat.of().formatHex(record);
        }
    }
}
