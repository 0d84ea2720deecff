package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;

import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.function.UnaryOperator;

/** Which schema records without frame are read with, and framed ones where a table says so. */
class ReaderSchemaTest {
    private static final String SUBJECT = OrdersSubject.NAME;
    private static final String V1 =
            "syntax = \"proto3\"; package shop; message Order { int64 id = 1; }"
                    + " message Refund { int64 id = 1; message Line { string sku = 1; } }";
    private static final String V2 = V1.replace("int64 id = 1; }", "int64 id = 1; int64 at = 2; }");

    private OrdersSubject orders;

    @BeforeEach
    void start() throws Exception {
        orders = OrdersSubject.start();
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    private WriterSchemaProvider.Open open(
            UnaryOperator<ReaderSchema.Builder> table, boolean all, Duration lifetime)
            throws Exception {
        RegistrySchemaProvider provider = orders.schemas(table, all, lifetime);
        RegistrySchemaProvider shipped = InstantiationUtil.clone(provider);
        assertThat(shipped).isEqualTo(provider).hasSameHashCodeAs(provider);
        return shipped.open();
    }

    private WriterMessage unframed(UnaryOperator<ReaderSchema.Builder> table) throws Exception {
        try (WriterSchemaProvider.Open schemas = open(table, false, null)) {
            return schemas.resolveUnframed();
        }
    }

    private static String name(WriterMessage message) {
        return message.descriptor().getFullName();
    }

    @Test
    void theLatestOfTheSubjectIsReadAsItsFirstMessage() throws Exception {
        orders.register(V1);
        int latest = orders.register(V2);
        WriterMessage message = unframed(reader -> reader.subject(SUBJECT));
        assertThat(name(message)).isEqualTo("shop.Order");
        assertThat(message.origin().id()).hasValue(latest);
        assertThat(message.descriptor().getFields()).hasSize(2);
    }

    @Test
    void theTableNamesTheMessage() throws Exception {
        orders.register(V1);
        assertThat(name(unframed(table -> table.subject(SUBJECT).message("shop.Refund.Line"))))
                .isEqualTo("shop.Refund.Line");
        assertThat(name(unframed(table -> table.subject(SUBJECT).indexes(new int[] {1}))))
                .isEqualTo("shop.Refund");
        assertThat(name(unframed(table -> table.subject(SUBJECT).preferred("shop.Refund"))))
                .isEqualTo("shop.Refund");
        assertThat(name(unframed(table -> table.subject(SUBJECT).preferred("other.Thing"))))
                .isEqualTo("shop.Order");
        assertThatThrownBy(() -> unframed(table -> table.subject(SUBJECT).message("shop.No")))
                .hasMessageContaining(SUBJECT)
                .hasMessageContaining("no message is named shop.No");
    }

    @Test
    void textIdAndGuidStandInForTheLatest() throws Exception {
        Submission first = Submission.protobuf(V1);
        int id = orders.registry.register(SUBJECT, first);
        orders.register(V2);
        assertThat(unframed(table -> table.subject(SUBJECT).id(id)).origin().id()).hasValue(id);
        assertThat(
                        unframed(table -> table.subject(SUBJECT).guid(first.guid()))
                                .descriptor()
                                .getFields())
                .hasSize(1);
        String own = "syntax = \"proto3\"; message Own {}";
        assertThat(name(unframed(table -> table.subject(SUBJECT).id(id).text(own))))
                .isEqualTo("Own");
    }

    @Test
    void withoutASchemaTheRecordIsAtFault() {
        assertThatThrownBy(() -> unframed(table -> table.subject(SUBJECT)))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.BAD_FRAME))
                .hasMessageContaining("subject '" + SUBJECT + "'");
        assertThatThrownBy(() -> unframed(table -> table.noSubject("nobody names one")))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.BAD_FRAME))
                .hasMessageContaining("nobody names one");
    }

    @Test
    void aRegistryInTroubleIsNotTheRecordsFault() throws Exception {
        orders.register(V1);
        orders.registry.failAlways(Fault.error(503, 50301));
        try (WriterSchemaProvider.Open schemas =
                open(reader -> reader.subject(SUBJECT), false, null)) {
            assertThatThrownBy(schemas::resolveUnframed)
                    .isInstanceOfSatisfying(
                            RecordException.class,
                            e -> assertThat(e.code().isRecordsFault()).isFalse());
            orders.registry.failAlways(null);
            assertThat(name(schemas.resolveUnframed())).isEqualTo("shop.Order");
        }
    }

    @Test
    void theLatestOfTheStartStaysForTheLifeOfTheJob() throws Exception {
        int first = orders.register(V1);
        try (WriterSchemaProvider.Open schemas =
                open(reader -> reader.subject(SUBJECT), false, null)) {
            orders.register(V2);
            assertThat(schemas.unframedLifetime()).isEmpty();
            assertThat(schemas.resolveUnframed().origin().id()).hasValue(first);
            assertThat(schemas.resolveUnframed().origin().id()).hasValue(first);
        }
    }

    @Test
    void aLifetimeMakesTheLatestFresh() throws Exception {
        int first = orders.register(V1);
        Duration lifetime = Duration.ofSeconds(7);
        try (WriterSchemaProvider.Open schemas =
                open(
                        reader -> reader.subject(SUBJECT).build().pinned(first).toBuilder(),
                        false,
                        lifetime)) {
            assertThat(schemas.unframedLifetime()).contains(lifetime);
            assertThat(schemas.resolveUnframed().origin().id()).hasValue(first);
            int second = orders.register(V2);
            assertThat(schemas.resolveUnframed().origin().id()).hasValue(second);
        }
    }

    @Test
    void framedRecordsAreReadWithTheLatestIfTheTableAsksForIt() throws Exception {
        int first = orders.register(V1);
        orders.register(V2);
        try (WriterSchemaProvider.Open schemas =
                open(reader -> reader.subject(SUBJECT), true, null)) {
            WriterMessage order = schemas.resolve(SchemaKey.ofId(first), new int[] {0});
            assertThat(name(order)).isEqualTo("shop.Order");
            assertThat(order.descriptor().getFields()).hasSize(2);
            assertThat(order.origin().id()).hasValue(first);
            assertThat(name(schemas.resolve(SchemaKey.ofId(first), new int[] {1, 0})))
                    .isEqualTo("shop.Refund.Line");
        }
    }

    @Test
    void aMessageThatTheLatestLacksIsReadAsItsFirst() throws Exception {
        int first = orders.register(V1);
        orders.register("syntax = \"proto3\"; package shop; message Order { int64 id = 1; }");
        try (WriterSchemaProvider.Open schemas =
                open(reader -> reader.subject(SUBJECT), true, null)) {
            assertThat(name(schemas.resolve(SchemaKey.ofId(first), new int[] {1})))
                    .isEqualTo("shop.Order");
        }
    }
}
