package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.it.server.Registry;
import dev.sluice.flink.registry.LinkedSchema;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.registry.SchemaStore;
import dev.sluice.flink.schema.SchemaKey;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.Map;
import java.util.UUID;

/** The client in the jar against a registry that others wrote: Apicurio. */
class RegistryClientITCase {
    private static final String SUBJECT = "registry/client value-value";
    private static final ProtoFile CURRENCY =
            ProtoFile.of(
                    "client/currency.proto",
                    "syntax = \"proto3\"; package client; enum Currency { EUR = 0; }");
    private static final ProtoFile MONEY =
            ProtoFile.of(
                    "client/money.proto",
                    "syntax = \"proto3\"; package client; import \"client/currency.proto\";"
                            + " message Money { int64 units = 1; Currency currency = 2; }",
                    CURRENCY);
    private static final String TEXT =
            "syntax = \"proto3\"; package client; import \"client/money.proto\";"
                    + " import \"google/protobuf/timestamp.proto\";"
                    + " message Order { Money total = 1; google.protobuf.Timestamp at = 2; }";
    private static final ProtoFile ORDER = ProtoFile.of("client/order.proto", TEXT, MONEY);
    private static final ProtoFile NEWER =
            ProtoFile.of(
                    "client/order.proto", TEXT.replace("at = 2;", "at = 2; string n = 3;"), MONEY);

    private SchemaStore store;

    @BeforeAll
    static void register() {
        ORDER.register(SUBJECT);
        NEWER.register(SUBJECT);
    }

    @BeforeEach
    void open() {
        store = open(Registry.shared().url());
    }

    private static SchemaStore open(String url) {
        return SchemaStore.open(RegistryConfig.of(url, Map.of("max.retries", "0")));
    }

    @AfterEach
    void close() {
        store.close();
    }

    private interface Question {
        LinkedSchema ask() throws RegistryException;
    }

    private static RegistryException refusal(Question question) {
        return catchThrowableOfType(RegistryException.class, question::ask);
    }

    @Test
    void readsASchemaByIdWithAllThatItRefersTo() throws Exception {
        for (String subject : new String[] {SUBJECT, ""}) {
            LinkedSchema first = store.schema(SchemaKey.ofId(ORDER.id()), subject);
            assertThat(first.schema().message("client.Order")).isNotNull();
            assertThat(first.schema().descriptor("client.Order").getFields()).hasSize(2);
            assertThat(
                            first.schema()
                                    .descriptor("client.Order")
                                    .findFieldByName("total")
                                    .getMessageType()
                                    .findFieldByName("currency")
                                    .getEnumType()
                                    .getFullName())
                    .isEqualTo("client.Currency");
        }
    }

    @Test
    void theLatestSchemaIsThatOfItsId() throws Exception {
        LinkedSchema latest = store.latest(SUBJECT);
        assertThat(latest.origin().id()).hasValue(NEWER.id());
        assertThat(latest.schema())
                .isSameAs(store.schema(SchemaKey.ofId(NEWER.id()), SUBJECT).schema());
        assertThat(latest.schema())
                .isNotSameAs(store.schema(SchemaKey.ofId(ORDER.id()), SUBJECT).schema());
    }

    @Test
    void tellsAMissingSchemaFromAWrongPath() {
        RegistryException missing =
                refusal(() -> store.schema(SchemaKey.ofId(1_000_000_007), SUBJECT));
        assertThat(missing.kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(missing.errorCode()).isEqualTo(40403);
        RegistryException noSubject = refusal(() -> store.latest("no-such-value"));
        assertThat(noSubject.kind()).isEqualTo(Kind.NOT_FOUND);
        assertThat(noSubject.errorCode()).isEqualTo(40401);
        try (SchemaStore astray = open(Registry.shared().url() + "/astray")) {
            RegistryException wrong =
                    refusal(() -> astray.schema(SchemaKey.ofId(ORDER.id()), SUBJECT));
            assertThat(wrong.kind()).isEqualTo(Kind.UNEXPECTED);
        }
    }

    /** It has no GUIDs; its answer has no code, so that it could be a wrong path as well. */
    @Test
    void aGuidIsAskedForInVainWithoutBlamingTheRecord() {
        UUID guid = UUID.fromString("8fa83d7e-bfcf-4cb1-a9b9-1b4f3e6a2c55");
        RegistryException refusal = refusal(() -> store.schema(SchemaKey.ofGuid(guid), ""));
        assertThat(refusal.kind()).isEqualTo(Kind.UNEXPECTED);
    }
}
