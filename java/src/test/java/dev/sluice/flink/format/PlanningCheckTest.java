package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.testregistry.Fault;

import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.DataTypes.Field;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.function.UnaryOperator;

/** Columns against the subject's latest schema while a table is planned. */
class PlanningCheckTest {
    private static final String TEXT =
            "syntax = \"proto3\"; package shop; message Head { int64 at = 1; }"
                    + " message Order { int64 id = 1; string name = 2; Head head = 3; }";
    private static final Field ID = DataTypes.FIELD("id", DataTypes.BIGINT());
    private static final Field NAME = DataTypes.FIELD("name", DataTypes.STRING());
    private static final Field WRONG_ID = DataTypes.FIELD("id", DataTypes.STRING());
    private static final Field UNKNOWN = DataTypes.FIELD("colour", DataTypes.STRING());

    private OrdersSubject orders;

    @BeforeEach
    void start() throws Exception {
        orders = OrdersSubject.start();
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    private RegistrySchemaProvider provider(UnaryOperator<ReaderSchema.Builder> table) {
        return orders.schemas(reader -> table.apply(reader.subject(OrdersSubject.NAME)));
    }

    private RegistrySchemaProvider compare(PlanningMode mode, Field... columns) {
        return provider(table -> table).compared(plan(columns), mode);
    }

    private static PlanBuilder plan(Field... columns) {
        RowType row = (RowType) DataTypes.ROW(columns).getLogicalType();
        return new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY);
    }

    @Test
    void theJobKeepsTheIdOfTheLatestSchema() {
        int id = orders.register(TEXT);
        RegistrySchemaProvider planned = compare(PlanningMode.AUTO, ID, NAME);
        assertThat(planned)
                .isEqualTo(provider(table -> table.build().pinned(id).toBuilder()))
                .isNotEqualTo(provider(table -> table));
    }

    @Test
    void aPairThatCannotBeReadIsRefusedByName() {
        orders.register(TEXT);
        assertThatThrownBy(() -> compare(PlanningMode.AUTO, WRONG_ID, NAME))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("subject '" + OrdersSubject.NAME + "'")
                .hasMessageContaining("id")
                .hasMessageContaining("int64")
                .hasMessageContaining("VARCHAR");
    }

    /** Head comes first in the file, but has none of the columns. */
    @Test
    void theMessageWithMostOfTheColumnsCounts() {
        orders.register(TEXT);
        assertThat(compare(PlanningMode.TRUE, ID, NAME, UNKNOWN)).isNotNull();
        Field at = DataTypes.FIELD("at", DataTypes.STRING());
        assertThatThrownBy(() -> compare(PlanningMode.TRUE, at))
                .isInstanceOf(ValidationException.class);
    }

    /** Either message may be the one of the topic: what one of them can be read as is let pass. */
    @Test
    void oneOfSeveralMessagesThatFitIsEnough() {
        String two =
                "syntax = \"proto3\"; message A { int64 id = 1; } message B { string id = 1; }";
        orders.register(two);
        assertThat(compare(PlanningMode.AUTO, WRONG_ID)).isNotNull();
        assertThatThrownBy(
                        () ->
                                provider(table -> table.message("A"))
                                        .compared(plan(WRONG_ID), PlanningMode.AUTO))
                .isInstanceOf(ValidationException.class);
    }

    @Test
    void aColumnThatTheSchemaLacksIsNoError() {
        orders.register(TEXT);
        Field required = DataTypes.FIELD("colour", DataTypes.STRING().notNull());
        assertThat(compare(PlanningMode.TRUE, ID, UNKNOWN)).isNotNull();
        assertThat(compare(PlanningMode.TRUE, ID, required)).isNotNull();
    }

    @Test
    void twoColumnsForOneFieldAreRefused() {
        orders.register("syntax = \"proto3\"; message M { int64 fooBar = 1; }");
        assertThatThrownBy(
                        () ->
                                compare(
                                        PlanningMode.AUTO,
                                        DataTypes.FIELD("fooBar", DataTypes.BIGINT()),
                                        DataTypes.FIELD("foo_bar", DataTypes.BIGINT())))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("fooBar");
    }

    @ParameterizedTest
    @EnumSource(PlanningMode.class)
    void aSubjectWithoutSchemaIsNoError(PlanningMode mode) {
        assertThat(compare(mode, ID)).isEqualTo(provider(table -> table));
    }

    @Test
    void aRegistryThatDoesNotAnswerIsAnErrorOnlyIfTheTableSaysSo() {
        orders.register(TEXT);
        orders.registry.failAlways(Fault.error(503, 50301));
        assertThat(compare(PlanningMode.AUTO, WRONG_ID)).isEqualTo(provider(table -> table));
        assertThatThrownBy(() -> compare(PlanningMode.TRUE, ID))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("'validate-at-planning'")
                .hasMessageContaining(orders.registry.url());
    }

    @Test
    void nobodyIsAskedIfTheTableSaysSo() {
        orders.register(TEXT);
        assertThat(compare(PlanningMode.FALSE, WRONG_ID)).isEqualTo(provider(table -> table));
        assertThat(orders.registry.requests()).isEmpty();
    }

    @Test
    void aTextInTheTableIsComparedWithoutARegistry() {
        UnaryOperator<ReaderSchema.Builder> own = table -> table.text(TEXT);
        orders.registry.failAlways(Fault.error(503, 50301));
        assertThat(provider(own).compared(plan(ID), PlanningMode.FALSE)).isEqualTo(provider(own));
        assertThatThrownBy(() -> provider(own).compared(plan(WRONG_ID), PlanningMode.FALSE))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("option 'schema'");
        assertThatThrownBy(
                        () ->
                                provider(table -> table.text("message {"))
                                        .compared(plan(ID), PlanningMode.FALSE))
                .isInstanceOf(ValidationException.class)
                .hasMessageContaining("Option 'schema'");
        assertThat(orders.registry.requests()).isEmpty();
    }
}
