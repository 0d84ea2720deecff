package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import dev.sluice.flink.plan.ResolvedSchema;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The law of the parser: a text that protoc accepts gives the descriptor that protoc gives, and
 * links to the same messages. {@code -Dsluice.seed=N} repeats a run.
 */
class ProtocAgreementTest {
    private static final int TEXTS = 400;
    private static final String[] NASTY = {
        "nasty-proto2.proto", "nasty-proto3.proto", "nasty-2023.proto", "nasty-2024.proto"
    };

    @TempDir Path folder;

    @Test
    void randomTextsGiveTheDescriptorsOfProtoc() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        System.out.println("ProtocAgreementTest: seed " + seed);
        Map<String, String> texts = new LinkedHashMap<>();
        for (int i = 0; i < TEXTS; i++) {
            texts.put("random" + i + ".proto", RandomSchema.text(new Random(seed + i)));
        }
        Map<String, String> refusals = new TreeMap<>();
        Map<String, FileDescriptorProto> files = new Protoc(folder).compile(texts, refusals);
        // The generator has to stay honest: a law about refused texts says nothing.
        assertThat(refusals.values()).as("refused by protoc, seed %d", seed).isEmpty();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            assertAgreement(text.getKey(), text.getValue(), files, "seed " + seed);
        }
    }

    @Test
    void nastyTextsGiveTheDescriptorsOfProtoc() throws Exception {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : NASTY) {
            try (InputStream in = getClass().getResourceAsStream(name)) {
                texts.put(name, new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        }
        Map<String, String> refusals = new TreeMap<>();
        Map<String, FileDescriptorProto> files = new Protoc(folder).compile(texts, refusals);
        assertThat(refusals.values()).isEmpty();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            assertAgreement(text.getKey(), text.getValue(), files, "");
        }
    }

    private static void assertAgreement(
            String path, String text, Map<String, FileDescriptorProto> files, String seed)
            throws SchemaException {
        String context = path + ", " + seed + ":\n" + text;
        assertThatCode(() -> ParsedSchema.read(new SourceText("schema", text)))
                .as(context)
                .doesNotThrowAnyException();
        ParsedSchema parsed = ParsedSchema.read(new SourceText("schema", text));
        FileDescriptorProto ours = parsed.file.toBuilder().setName(path).build();
        FileDescriptorProto theirs = files.get(path);
        DescriptorComparison comparison = new DescriptorComparison(ours, files);
        assertThat(comparison.normal(ours).toString())
                .as(context)
                .isEqualTo(comparison.normal(theirs).toString());

        WriterSchema fromText = WriterSchema.of(text, Map.of());
        List<byte[]> imports = new ArrayList<>();
        for (String dependency : theirs.getDependencyList()) {
            imports.add(files.get(dependency).toByteArray());
        }
        WriterSchema fromProtoc = WriterSchema.ofDescriptors(theirs.toByteArray(), imports);
        for (DescriptorProto message : theirs.getMessageTypeList()) {
            String name = SchemaParser.nested(theirs.getPackage(), message.getName());
            ResolvedSchema resolved = fromText.message(name);
            assertThat(resolved).as(context).isEqualTo(fromProtoc.message(name));
        }
    }
}
