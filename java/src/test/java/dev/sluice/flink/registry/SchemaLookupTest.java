package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
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
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Where schemas are found, what of them is shared, and what becomes of unreadable texts. */
@Timeout(60)
class SchemaLookupTest {
    private static final String UNREADABLE = "syntax = \"proto3\"; message M { novelty }";

    private final AtomicLong clock = new AtomicLong();
    private TestRegistry registry;
    private SchemaStore store;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        store = open(registry.url());
    }

    @AfterEach
    void stop() {
        store.close();
        registry.close();
    }

    private SchemaStore open(String url) {
        return SchemaStore.open(RegistryConfig.of(url, Map.of("max.retries", "0")), clock::get);
    }

    private static Submission message(String name, Reference... references) {
        StringBuilder text = new StringBuilder("syntax = \"proto3\";\n");
        for (Reference reference : references) {
            text.append("import \"").append(reference.name()).append("\";\n");
        }
        text.append("message ").append(name).append(" {\n");
        for (int i = 1; i <= references.length; i++) {
            String type = references[i - 1].name().replace(".proto", "");
            text.append("  ").append(type).append(" f").append(i).append(" = " + i + ";\n");
        }
        return Submission.protobuf(text.append("}\n").toString(), references);
    }

    private static String first(LinkedSchema schema) throws Exception {
        return schema.schema().descriptor(new int[] {0}).getFullName();
    }

    private LinkedSchema byId(int id, String subject) throws RegistryException {
        return store.schema(SchemaKey.ofId(id), subject);
    }

    private RegistryException refusal(int id, String subject) {
        return catchThrowableOfType(RegistryException.class, () -> byId(id, subject));
    }

    @Test
    void eachContextHasIdsOfItsOwn() throws Exception {
        registry.put("orders-value", 1, message("Plain"));
        registry.put(":.ctx:orders-value", 1, message("InContext"));
        registry.put(":.ctx:elsewhere", 2, message("Elsewhere"));

        assertThat(first(byId(1, ""))).isEqualTo("Plain");
        assertThat(first(byId(1, "orders-value"))).isEqualTo("Plain");
        assertThat(first(byId(1, ":.ctx:orders-value"))).isEqualTo("InContext");
        assertThat(first(byId(1, ":.ctx:"))).isEqualTo("InContext");
        assertThat(refusal(2, ":.ctx:orders-value").kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(first(byId(2, ":.ctx:elsewhere"))).isEqualTo("Elsewhere");
        assertThat(first(store.latest(":.ctx:orders-value"))).isEqualTo("InContext");
        assertThat(registry.targets())
                .contains("/schemas/ids/1?fetchMaxId=false&subject=:.ctx:orders-value");
    }

    @Test
    void aContextMayStandInTheUrl() throws Exception {
        registry.put("orders-value", 1, message("Plain"));
        registry.put(":.ctx:B.proto", 7, message("B"));
        Reference unqualified = new Reference("B.proto", "B.proto", 1);
        registry.put(":.ctx:orders-value", 1, message("InContext", unqualified));
        try (SchemaStore context = open(registry.url() + "/contexts/.ctx")) {
            assertThat(first(context.schema(SchemaKey.ofId(1), ""))).isEqualTo("InContext");
            assertThat(first(context.latest("orders-value"))).isEqualTo("InContext");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unqualifiedReferencesAreInTheContextOfTheRoot(boolean tellsSubject) throws Exception {
        registry.put("B.proto", 1, message("Wrong"));
        registry.put(":.ctx:B.proto", 1, message("B"));
        Submission root = message("A", new Reference("B.proto", "B.proto", -1));
        registry.put(":.ctx:orders-value", 5, root);
        if (!tellsSubject) {
            registry.failNext(
                    Fault.body(
                            200,
                            "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";"
                                    + " import \\\"B.proto\\\"; message A { B b = 1; }\","
                                    + "\"references\":[{\"name\":\"B.proto\",\"subject\":"
                                    + "\"B.proto\",\"version\":-1}]}"));
        }
        assertThat(first(byId(5, ":.ctx:orders-value"))).isEqualTo("A");
        assertThat(registry.targets())
                .endsWith("/subjects/:.ctx:B.proto/versions/latest?deleted=true");
    }

    @Test
    void softDeletedVersionsServeIdsAndReferencesButNotTheLatest() throws Exception {
        registry.register("B.proto", message("B"));
        int id =
                registry.register(
                        "orders-value", message("Old", new Reference("B.proto", "B.proto", 1)));
        registry.register("orders-value", message("Middle"));
        registry.register("orders-value", message("New"));
        registry.delete("B.proto", 1);
        registry.delete("orders-value", 1);
        registry.delete("orders-value", 3);
        assertThat(first(byId(id, "orders-value"))).isEqualTo("Old");
        assertThat(first(store.latest("orders-value"))).isEqualTo("Middle");
    }

    @Test
    void theLatestWithMetadataIsTheLastThatHasAllOfThem() throws Exception {
        registry.put("s", 1, message("A").withMetadata(Map.of("major", "1", "a&b", "+ x")));
        registry.put("s", 2, message("B").withMetadata(Map.of("major", "1")));
        registry.put("s", 3, message("C").withMetadata(Map.of("major", "2")));
        LinkedSchema one = store.latest("s", Map.of("major", "1"));
        assertThat(first(one)).isEqualTo("B");
        assertThat(one.origin().id()).hasValue(2);
        assertThat(first(store.latest("s", Map.of("major", "1", "a&b", "+ x")))).isEqualTo("A");
        assertThat(first(store.latest("s"))).isEqualTo("C");
        RegistryException none =
                catchThrowableOfType(
                        RegistryException.class, () -> store.latest("s", Map.of("major", "3")));
        assertThat(none.kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(none)
                .hasMessageContaining("the latest schema of subject 's' with metadata {major=3}");
        assertThat(registry.targets())
                .startsWith("/subjects/s/metadata?key=major&value=1&deleted=true")
                .contains(
                        "/subjects/s/metadata?key=a%26b&value=%2B%20x&key=major&value=1"
                                + "&deleted=true");
    }

    @Test
    void tellsIdAndGuidAsFarAsTheyAreKnown() throws Exception {
        Submission order = message("Order", new Reference("B.proto", "B.proto", 1));
        registry.register("B.proto", message("B"));
        int id = registry.register("s", order);
        SchemaOrigin both = SchemaOrigin.ofId(id, order.guid());
        SchemaOrigin guid = SchemaOrigin.ofGuid(order.guid());
        assertThat(byId(id, "").origin()).isEqualTo(both);
        assertThat(store.latest("s").origin()).isEqualTo(both);
        assertThat(store.schema(guid.key(), "").origin()).isEqualTo(guid);

        registry.withholdGuids();
        assertThat(byId(id, "s").origin()).isEqualTo(both);
        registry.put("m", 70, message("M").withMetadata(Map.of("a", "b")));
        assertThat(byId(70, "").origin()).isEqualTo(SchemaOrigin.ofId(70, null));
    }

    @Test
    void equalContentIsLinkedOnceUnderAllItsNames() throws Exception {
        registry.put("B.proto", 1, message("B"));
        Submission order = message("Order", new Reference("B.proto", "B.proto", 1));
        registry.put("a", 10, order);
        registry.put("b", 11, order);
        LinkedSchema one = byId(10, "");
        assertThat(byId(11, "").schema()).isSameAs(one.schema());
        assertThat(byId(10, "a").schema()).isSameAs(one.schema());
        assertThat(store.schema(SchemaKey.ofGuid(order.guid()), "").schema())
                .isSameAs(one.schema());
        assertThat(registry.targets())
                .containsOnlyOnce("/subjects/B.proto/versions/1?deleted=true");

        // the same text importing another file is another schema
        registry.put("B.proto", 2, message("B").withMetadata(Map.of("a", "b")));
        registry.put("C.proto", 3, Submission.protobuf("message B { optional int32 x = 1; }"));
        Submission other =
                Submission.protobuf(order.text(), new Reference("B.proto", "C.proto", 1));
        registry.put("c", 12, other);
        assertThat(byId(12, "").schema()).isNotSameAs(one.schema());
    }

    @Test
    void theLatestIsAskedForOnceASecond() throws Exception {
        registry.register("s", message("A"));
        assertThat(first(store.latest("s"))).isEqualTo("A");
        registry.register("s", message("B"));
        clock.addAndGet(Duration.ofMillis(999).toNanos());
        assertThat(first(store.latest("s"))).isEqualTo("A");
        clock.addAndGet(Duration.ofMillis(1).toNanos());
        assertThat(first(store.latest("s"))).isEqualTo("B");
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void countsAndTimesItsFetches() throws Exception {
        registry.put("s", 1, message("A"));
        try (SchemaStore ticking =
                SchemaStore.open(
                        RegistryConfig.of(registry.url() + "/", Map.of("max.retries", "1")),
                        () -> clock.addAndGet(1000))) {
            assertThat(ticking.fetches()).isZero();
            ticking.schema(SchemaKey.ofId(1), "");
            ticking.schema(SchemaKey.ofId(1), "");
            assertThat(ticking.fetches()).isEqualTo(1);
            assertThat(ticking.fetchNanos()).isEqualTo(ticking.lastFetchNanos()).isPositive();
            catchThrowableOfType(
                    RegistryException.class, () -> ticking.schema(SchemaKey.ofId(9), ""));
            assertThat(ticking.fetches()).isEqualTo(2);
            assertThat(ticking.fetchNanos()).isGreaterThan(ticking.lastFetchNanos());
        }
    }

    @Test
    void longTextsAreForgottenEarlier() throws Exception {
        String padding = "// " + "x".repeat((int) SchemaLinker.TEXT_MAX * 3 / 4) + "\n";
        for (int id = 1; id <= 2; id++) {
            String text = "syntax = \"proto3\"; message M" + id + " {}";
            registry.put("s", id, Submission.protobuf(padding + text));
        }
        for (int id : new int[] {1, 1, 2, 2, 1}) {
            assertThat(first(byId(id, "s"))).isEqualTo("M" + id);
        }
        assertThat(store.fetches()).isEqualTo(3);
    }

    /** Key and value of one table may share a registry: each schema is asked for once, by one. */
    @Test
    void aStoreCountsWhatItAskedForItself() throws Exception {
        registry.put("s", 1, message("A"));
        registry.put("s", 2, message("B"));
        RegistryConfig config = RegistryConfig.of(registry.url() + "/", Map.of("max.retries", "2"));
        try (SchemaStore one = SchemaStore.open(config);
                SchemaStore other = SchemaStore.open(config)) {
            one.schema(SchemaKey.ofId(1), "");
            other.schema(SchemaKey.ofId(1), "");
            assertThat(one.fetches()).isEqualTo(1);
            assertThat(other.fetches()).isZero();
            other.schema(SchemaKey.ofId(2), "");
            other.latest("s");
            assertThat(one.fetches()).isEqualTo(1);
            assertThat(other.fetches()).isEqualTo(2);
            assertThat(other.fetchNanos()).isPositive();
        }
    }

    /** A message A, in a file named as the registry names all descriptors (H10). */
    private static String descriptor(String message, String... fields) {
        DescriptorProto.Builder type = DescriptorProto.newBuilder().setName(message);
        for (String field : fields) {
            type.addField(
                    FieldDescriptorProto.newBuilder()
                            .setName(field)
                            .setNumber(type.getFieldCount() + 1)
                            .setType(FieldDescriptorProto.Type.TYPE_INT32));
        }
        FileDescriptorProto file =
                FileDescriptorProto.newBuilder()
                        .setName("default")
                        .setSyntax("proto3")
                        .addMessageType(type)
                        .build();
        return Base64.getEncoder().encodeToString(file.toByteArray());
    }

    @Test
    void asksForTheDescriptorsOfTextsThatItCannotRead() throws Exception {
        registry.put("B.proto", 1, Submission.protobuf(UNREADABLE).withDescriptor(descriptor("B")));
        registry.put("a", 10, message("A", new Reference("B.proto", "B.proto", -1)));
        registry.put("m", 11, Submission.protobuf(UNREADABLE).withDescriptor(descriptor("M", "x")));
        assertThat(first(byId(10, ""))).isEqualTo("A");
        assertThat(byId(11, "").schema().descriptor("M").findFieldByName("x")).isNotNull();
        assertThat(first(store.latest("m"))).isEqualTo("M");
        assertThat(registry.targets())
                .contains("/schemas/ids/11?fetchMaxId=false&subject=&format=serialized")
                .contains("/subjects/B.proto/versions/latest?deleted=true&format=serialized")
                .contains("/subjects/m/versions/latest?format=serialized")
                .doesNotContain("/schemas/ids/10?fetchMaxId=false&subject=&format=serialized");
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "null",
            value = {"null, 0", "still text, 0", "AAAA, 0", "null, 422", "null, 404"})
    void tellsWhatIsWrongWithTheTextIfTheRegistryHasNoDescriptor(String instead, int status) {
        registry.put("m", 11, Submission.protobuf(UNREADABLE).withDescriptor(instead));
        if (status != 0) {
            registry.failNext(Fault.slow(Duration.ZERO), Fault.error(status, status));
        }
        RegistryException e = refusal(11, "");
        assertThat(e.kind()).isEqualTo(Kind.BAD_SCHEMA);
        assertThat(e)
                .hasMessageContaining(
                        "schema id 11 (subject 'm') cannot be linked: schema, line 1:40");
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void aRegistryThatFailsToGiveTheDescriptorIsNotTheSchemasFault() throws Exception {
        registry.put("m", 11, Submission.protobuf(UNREADABLE).withDescriptor(descriptor("M")));
        registry.failNext(Fault.slow(Duration.ZERO), Fault.error(503, 50003));
        assertThat(refusal(11, "").kind()).isEqualTo(Kind.UNAVAILABLE);
        assertThat(first(byId(11, ""))).isEqualTo("M");
    }

    @Test
    void takesADescriptorWhereATextIsExpected() throws Exception {
        registry.put("m", 11, Submission.protobuf(descriptor("M")));
        assertThat(first(byId(11, ""))).isEqualTo("M");
        assertThat(registry.requests()).hasSize(1);
    }
}
