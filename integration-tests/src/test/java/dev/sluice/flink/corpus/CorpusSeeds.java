package dev.sluice.flink.corpus;

import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.WriterSchema;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Writes the decode cases of a corpus as inputs of the fuzz targets: {@code frame/NAME} holds the
 * record, {@code plan/NAME} plan, resolved schema and message as {@code rust/fuzz/targets/plan.rs}
 * reads them.
 */
public final class CorpusSeeds {
    private CorpusSeeds() {}

    /** Arguments: directory of the cases, directory of the seeds. */
    public static void main(String[] arguments) throws Exception {
        Path seeds = Path.of(arguments[1]);
        Files.createDirectories(seeds.resolve("frame"));
        Files.createDirectories(seeds.resolve("plan"));
        for (Case one : Case.allOf(Path.of(arguments[0]))) {
            if (!one.isDecode()) {
                continue;
            }
            if (one.hasRecord() && one.record() != null) {
                Files.write(seeds.resolve("frame").resolve(one.name()), one.record());
            }
            if (!one.hasRecord()) {
                Files.write(seeds.resolve("plan").resolve(one.name()), planSeed(one));
            }
        }
    }

    private static byte[] planSeed(Case one) throws IOException, SchemaException {
        WriterSchema schema = WriterSchema.of(one.mainText(), one.imports());
        ByteArrayOutputStream seed = new ByteArrayOutputStream();
        part(seed, CaseRun.plan(one));
        part(seed, schema.message(one.message()).toByteArray());
        seed.write(one.wire());
        return seed.toByteArray();
    }

    private static void part(ByteArrayOutputStream seed, byte[] bytes) throws IOException {
        ByteBuffer length = ByteBuffer.allocate(Integer.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        seed.write(length.putInt(bytes.length).array());
        seed.write(bytes);
    }
}
