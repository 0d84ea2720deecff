package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.Submission.Reference;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.Map;

@Timeout(60)
class ReferenceWalkTest {
    private static final SchemaKey ROOT = SchemaKey.ofId(7);

    private TestRegistry registry;
    private SchemaStore store;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        store = SchemaStore.open(RegistryConfig.of(registry.url(), Map.of("max.retries", "0")));
    }

    @AfterEach
    void stop() {
        store.close();
        registry.close();
    }

    private static Reference reference(String name) {
        return new Reference(name, name, 1);
    }

    /** A file {@code <name>.proto} with one message, importing others. */
    private static Submission file(String message, Reference... references) {
        StringBuilder text = new StringBuilder("syntax = \"proto3\"; package p;\n");
        for (Reference reference : references) {
            text.append("import \"").append(reference.name()).append("\";\n");
        }
        text.append("message ").append(message).append(" {\n");
        for (int i = 0; i < references.length; i++) {
            String type = references[i].name().replace(".proto", "").replace("dir/", "");
            text.append("  ").append(type).append(" f").append(i + 1);
            text.append(" = ").append(i + 1).append(";\n");
        }
        return Submission.protobuf(text.append("}\n").toString(), references);
    }

    private RegistryException refusal() {
        return catchThrowableOfType(RegistryException.class, () -> store.schema(ROOT, ""));
    }

    @Test
    void fetchesADiamondOnce() throws Exception {
        registry.register("dir/D.proto", file("D"));
        registry.register("B.proto", file("B", reference("dir/D.proto")));
        registry.register("C.proto", file("C", reference("dir/D.proto")));
        registry.put("root", 7, file("A", reference("B.proto"), reference("C.proto")));

        assertThat(store.schema(ROOT, "").schema().message(new int[] {0})).isNotNull();
        assertThat(registry.targets())
                .containsExactly(
                        "/schemas/ids/7?fetchMaxId=false&subject=",
                        "/subjects/B.proto/versions/1?deleted=true",
                        "/subjects/dir%2FD.proto/versions/1?deleted=true",
                        "/subjects/C.proto/versions/1?deleted=true");
    }

    @Test
    void theFirstFileOfANameWins() throws Exception {
        registry.register("D.proto", file("D"));
        registry.register("D.proto", file("Other"));
        registry.register("B.proto", file("B", reference("D.proto")));
        Reference second = new Reference("D.proto", "D.proto", 2);
        registry.put("root", 7, file("A", reference("B.proto"), second));

        assertThat(store.schema(ROOT, "").schema().message("p.A")).isNotNull();
        assertThat(registry.targets()).doesNotContain("/subjects/D.proto/versions/2?deleted=true");
    }

    @Test
    void takesTheLatestVersionForMinusOneAndDeletedVersionsToo() throws Exception {
        registry.register("C.proto", file("C"));
        registry.register("B.proto", file("Older"));
        registry.register("B.proto", file("B", reference("C.proto")));
        registry.delete("C.proto", 1);
        Reference latest = new Reference("B.proto", "B.proto", -1);
        registry.put("root", 7, file("A", latest, reference("C.proto")));

        assertThat(store.schema(ROOT, "").schema().message("p.A")).isNotNull();
        assertThat(registry.targets())
                .contains("/subjects/B.proto/versions/latest?deleted=true")
                .contains("/subjects/C.proto/versions/1?deleted=true");
    }

    @Test
    void aCycleEndsAndIsRefusedByTheLinker() {
        registry.put("B.proto", 1, file("B", reference("C.proto")));
        registry.put("C.proto", 2, file("C", reference("B.proto")));
        registry.put("root", 7, file("A", reference("B.proto")));

        assertThat(refusal().kind()).isEqualTo(Kind.BAD_SCHEMA);
        assertThat(registry.requests()).hasSize(3);
    }

    @Test
    void anUnqualifiedSubjectIsTakenFromTheReferringContext() throws Exception {
        registry.put(":.ctx:C.proto", 1, file("C"));
        registry.put(":.ctx:B.proto", 2, file("B", reference("C.proto")));
        registry.put("root", 7, file("A", new Reference("B.proto", ":.ctx:B.proto", 1)));

        assertThat(store.schema(ROOT, "").schema().message("p.A")).isNotNull();
        assertThat(registry.targets()).contains("/subjects/:.ctx:C.proto/versions/1?deleted=true");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"null, s, 1", "B.proto, null, 1", "B.proto, s, null", "'', s, 1"})
    void refusesAnIncompleteReference(String name, String subject, Integer version) {
        Reference broken = new Reference(name, subject, version);
        registry.put("root", 7, Submission.protobuf("message A {}", broken));
        RegistryException e = refusal();
        assertThat(e.kind()).isEqualTo(Kind.BAD_SCHEMA);
        assertThat(e).hasMessageStartingWith("schema id 7 has an incomplete reference");
    }

    @Test
    void aReferenceThatTheRegistryLacksIsABadSchema() {
        registry.put("root", 7, file("A", reference("B.proto")));
        RegistryException e = refusal();
        assertThat(e.kind()).isEqualTo(Kind.BAD_SCHEMA);
        assertThat(e.errorCode()).isEqualTo(40401);
        assertThat(e)
                .hasMessageContaining(registry.url())
                .hasMessageContaining(
                        "reference 'B.proto' (subject 'B.proto', version 1) of schema id 7");
    }

    @Test
    void aRegistryThatFailsInTheMiddleIsNotTheSchemasFault() {
        registry.register("B.proto", file("B"));
        registry.put("root", 7, file("A", reference("B.proto")));
        registry.failNext(Fault.slow(Duration.ZERO), Fault.error(403, 40301));
        assertThat(refusal().kind()).isEqualTo(Kind.REFUSED);
    }

    @Test
    void refusesAReferenceOfAnotherType() {
        registry.put("B.proto", 1, Submission.ofType("AVRO", "\"string\""));
        registry.put("root", 7, file("A", reference("B.proto")));
        RegistryException e = refusal();
        assertThat(e.kind()).isEqualTo(Kind.OTHER_TYPE);
        assertThat(e).hasMessageContaining("schema id 7").hasMessageContaining("AVRO");
    }
}
