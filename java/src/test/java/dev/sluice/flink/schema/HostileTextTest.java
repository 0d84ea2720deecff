package dev.sluice.flink.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Whatever the text, reading it ends soon, with a schema or a {@link SchemaException}. {@code
 * -Psluice.seed=N} repeats a run, {@code -Psluice.seconds=N} makes it at least that long.
 */
class HostileTextTest {
    private static final Duration SOON = Duration.ofSeconds(20);
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        "<",
        ">",
        "(",
        ")",
        ";",
        ",",
        ".",
        "=",
        "-",
        "\"",
        "'",
        "\\",
        "/*",
        "//",
        "message",
        "group",
        "oneof",
        "map<",
        "extend",
        "option",
        "features",
        "max",
        "to",
        "0",
        "-1",
        "2147483648",
        "1e999",
        "\u0000",
        "\uD800",
        "é",
        "import \"x\";",
        "[default = ",
        "reserved"
    };

    @Test
    void mutatedTextsAreReadOrRefused() {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        System.out.println("HostileTextTest: seed " + seed);
        Random random = new Random(seed);
        Duration more = Duration.ofSeconds(Long.getLong("sluice.seconds", 0));
        long end = System.nanoTime() + more.toNanos();
        Assertions.assertTimeoutPreemptively(
                more.plusMinutes(3),
                () -> {
                    for (int i = 0; i < 1500 || System.nanoTime() < end; i++) {
                        String text = RandomSchema.text(random);
                        for (int n = 1 + random.nextInt(3); n > 0; n--) {
                            text = mutated(text, random);
                        }
                        readAndResolve(text, seed);
                    }
                });
    }

    @Test
    void mutatedDescriptorsAreReadOrRefused() throws Exception {
        long seed = Long.getLong("sluice.seed", System.nanoTime());
        System.out.println("HostileTextTest: seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 500; i++) {
            SourceText text = new SourceText("schema", RandomSchema.text(random));
            byte[] file = ParsedSchema.read(text).file.toByteArray();
            for (int n = 1 + random.nextInt(4); n > 0; n--) {
                file[random.nextInt(file.length)] = (byte) random.nextInt();
            }
            readAndResolve(Base64.getEncoder().encodeToString(file), seed);
        }
    }

    private static void readAndResolve(String text, long seed) {
        try {
            WriterSchema schema = WriterSchema.of(text, Map.of());
            FileDescriptorProto file = ParsedSchema.read(new SourceText("schema", text)).file;
            for (DescriptorProto message : file.getMessageTypeList()) {
                schema.message(SchemaParser.nested(file.getPackage(), message.getName()));
            }
        } catch (SchemaException refused) {
            assertThat(refused.getMessage()).isNotEmpty();
        } catch (RuntimeException | Error crash) {
            throw new AssertionError("seed " + seed + ", text:\n" + text, crash);
        }
    }

    private static String mutated(String text, Random random) {
        int at = random.nextInt(text.length() + 1);
        int end = Math.min(text.length(), at + random.nextInt(6));
        String piece = PIECES[random.nextInt(PIECES.length)];
        switch (random.nextInt(4)) {
            case 0:
                return text.substring(0, at) + text.substring(end);
            case 1:
                return text.substring(0, at) + piece + text.substring(end);
            case 2:
                return text.substring(0, at);
            default:
                int from = random.nextInt(text.length() + 1);
                int to = Math.min(text.length(), from + random.nextInt(200));
                return text.substring(0, at) + text.substring(from, to) + text.substring(at);
        }
    }

    @Test
    void longAndDeepTextsEndSoon() {
        Map<String, String> texts = new LinkedHashMap<>();
        texts.put("deep messages", "message a { ".repeat(100_000));
        texts.put("deep groups", "message a { optional group A = 1 { ".repeat(50_000));
        texts.put("deep aggregates", "option a = " + "{ a ".repeat(200_000));
        texts.put("deep lists", "option a = " + "[".repeat(200_000));
        texts.put("open comment", "/*".repeat(500_000));
        texts.put("line comments", "//\n".repeat(500_000));
        texts.put("open string", "option a = \"" + "\\x41".repeat(200_000));
        texts.put("string pieces", "option a = " + "'a' ".repeat(300_000) + ";");
        texts.put("long number", "option a = " + "9".repeat(1_000_000) + ";");
        texts.put("long float", "option a = 0." + "9".repeat(1_000_000) + "e99999999;");
        texts.put(
                "long default",
                "message A { optional double d = 1 [default = " + "7".repeat(999_999) + "]; }");
        texts.put("long package", "package a" + ".a".repeat(300_000) + ";");
        texts.put("long name", "message " + "a".repeat(1_000_000) + " {}");
        texts.put("long type", "message A { optional a" + ".a".repeat(300_000) + " x = 1; }");
        texts.put("long option name", "option a" + ".a".repeat(300_000) + " = 1;");
        texts.put("many imports", lines(50_000, "import \"a%d.proto\";"));
        texts.put("many enums", lines(20_000, "enum E%1$d { V%1$d = %1$d; }"));
        texts.put("many fields", "message A {" + lines(30_000, "optional A f%d = %<d;") + "}");
        texts.put(
                "many oneofs",
                "message A {" + lines(9_000, "oneof o%1$d { A f%1$d = %1$d; }") + "}");
        texts.put("many maps", "message A {" + lines(9_000, "map<int32, A> f%d = %<d;") + "}");
        texts.put("base64", "A".repeat(1_000_000));
        texts.put("null bytes", "\0".repeat(100_000));
        texts.forEach(
                (name, text) ->
                        Assertions.assertTimeoutPreemptively(
                                SOON, () -> readAndResolve(text, 0), name));
    }

    private static String lines(int count, String line) {
        StringBuilder lines = new StringBuilder();
        for (int i = 1; i <= count; i++) {
            lines.append(String.format(line, i)).append('\n');
        }
        return lines.toString();
    }

    @Test
    void importsThatFormACycleAreRefused() {
        Map<String, String> imports =
                Map.of("a.proto", "import \"b.proto\";", "b.proto", "import \"a.proto\";");
        assertThatThrownBy(() -> WriterSchema.of("import \"a.proto\";", imports))
                .isInstanceOf(SchemaException.class)
                .hasMessage("imports form a cycle: a.proto -> b.proto -> a.proto");
        assertThatThrownBy(
                        () ->
                                WriterSchema.of(
                                        "import \"a.proto\";",
                                        Map.of("a.proto", "import \"a.proto\";")))
                .hasMessage("imports form a cycle: a.proto -> a.proto");
    }

    @Test
    void aLongChainOfImportsIsRefused() {
        Map<String, String> imports = new LinkedHashMap<>();
        for (int i = 0; i < 5000; i++) {
            imports.put("i" + i, "import \"i" + (i + 1) + "\";");
        }
        assertThatThrownBy(() -> WriterSchema.of("import \"i0\";", imports))
                .isInstanceOf(SchemaException.class)
                .hasMessageContaining("chain without end");
    }

    @Test
    void randomBase64IsNoSchema() {
        for (String text : List.of("AAAA", "aGVsbG8gd29ybGQ=", "message", "Zm9v")) {
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            for (String each : List.of(text, Base64.getEncoder().encodeToString(bytes))) {
                assertThatThrownBy(() -> WriterSchema.of(each, Map.of()))
                        .isInstanceOf(SchemaException.class);
            }
        }
    }
}
