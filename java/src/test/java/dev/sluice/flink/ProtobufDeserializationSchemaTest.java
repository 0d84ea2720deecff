package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.engine.RecordDecoder;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.format.WriterSchemaProvider;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.row.RowOpener;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.Gauge;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.data.StringData;
import org.apache.flink.table.data.binary.BinaryRowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.ArrayType;
import org.apache.flink.table.types.logical.LogicalType;
import org.apache.flink.table.types.logical.RowType;
import org.apache.flink.util.InstantiationUtil;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

class ProtobufDeserializationSchemaTest {

    private static final RowType ROW =
            (RowType)
                    DataTypes.ROW(
                                    DataTypes.FIELD("name", DataTypes.STRING()),
                                    DataTypes.FIELD("id", DataTypes.BIGINT()))
                            .notNull()
                            .getLogicalType();

    /** Schema id 7, first message, {@code id} = 42, {@code name} = "x". */
    private static final byte[] RECORD = {0, 0, 0, 0, 7, 0, 0x08, 42, 0x12, 1, 'x'};

    private static final GenericRowData EXPECTED =
            GenericRowData.of(StringData.fromString("x"), 42L);

    @Test
    void nullValueIsNoRow() throws Exception {
        assertThat(schema(RowOpener.generic(ROW)).deserialize(null)).isNull();
    }

    @Test
    void refusesRecordsBeforeItIsOpened() {
        assertThatThrownBy(() -> schema(RowOpener.generic(ROW)).deserialize(RECORD))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("open was not called");
    }

    @Test
    void endsNoStream() {
        assertThat(schema(RowOpener.generic(ROW)).isEndOfStream(EXPECTED)).isFalse();
    }

    @Test
    void rowsHaveTheFormThatWasAskedFor() throws Exception {
        var generic = InstantiationUtil.clone(schema(RowOpener.generic(ROW)));
        generic.open(new Context());
        assertThat(generic.deserialize(RECORD)).isEqualTo(EXPECTED);

        var binary = InstantiationUtil.clone(schema(RowOpener.binary(ROW)));
        binary.open(new Context());
        RowData row = binary.deserialize(RECORD);
        assertThat(row).isInstanceOf(BinaryRowData.class);
        assertThat(row.getString(0)).hasToString("x");
        assertThat(row.getLong(1)).isEqualTo(42);
    }

    @Test
    void countsRowsAndRefusedRecords() throws Exception {
        var schema = schema(RowOpener.generic(ROW));
        Context context = new Context();
        schema.open(context);
        schema.deserialize(RECORD);
        schema.deserialize(null);
        assertThatThrownBy(() -> schema.deserialize(new byte[] {5}))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.BAD_FRAME));
        assertThatThrownBy(() -> schema.deserialize(new byte[0]))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.BAD_FRAME));
        schema.deserialize(RECORD);
        assertThat(context.gauges.get("nativeRecords").getValue()).isEqualTo(2L);
        assertThat(context.counters.get("numDeserializeErrors").getCount()).isEqualTo(2);
    }

    @Test
    void skipsWhatTheRecordIsAtFaultForAndNothingElse() throws Exception {
        var schema = skipping(new OneSchema());
        Context context = new Context();
        schema.open(context);
        assertThat(schema.deserialize(new byte[] {5})).isNull();
        assertThat(schema.deserialize(RECORD)).isEqualTo(EXPECTED);
        assertThat(context.counters.get("numDeserializeErrors").getCount()).isEqualTo(1);
        assertThat(context.counters.get("skippedRecords").getCount()).isEqualTo(1);

        var cutOff = skipping(new NoRegistry());
        cutOff.open(new Context());
        assertThatThrownBy(() -> cutOff.deserialize(RECORD))
                .isInstanceOfSatisfying(
                        RecordException.class,
                        e -> assertThat(e.code()).isEqualTo(FailureCode.REGISTRY_UNREACHABLE));
    }

    @Test
    void keyAndValueOfOneOperatorCountTogether() throws Exception {
        Context context = new Context();
        var key = schema(RowOpener.generic(ROW));
        var value = schema(RowOpener.generic(ROW));
        key.open(context);
        value.open(context);
        key.deserialize(RECORD);
        value.deserialize(RECORD);
        assertThatThrownBy(() -> value.deserialize(new byte[0])).isInstanceOf(Exception.class);
        assertThat(context.gauges.get("nativeRecords").getValue()).isEqualTo(2L);
        assertThat(context.counters.get("numDeserializeErrors").getCount()).isEqualTo(1);
    }

    @Test
    void decoderIsClosedWithTheUserClassLoader() throws Exception {
        var schema = schema(RowOpener.generic(ROW));
        Context context = new Context();
        schema.open(context);
        schema.deserialize(RECORD);
        int closed = OneSchema.CLOSED.get();
        context.releaseHooks.values().forEach(Runnable::run);
        assertThat(OneSchema.CLOSED.get()).isEqualTo(closed + 1);
        assertThatThrownBy(() -> schema.deserialize(RECORD)).hasMessageContaining("closed");
    }

    @Test
    void opensWithoutAUserClassLoaderAndWithoutMetrics() throws Exception {
        var schema = schema(RowOpener.generic(ROW));
        schema.open(
                new DeserializationSchema.InitializationContext() {
                    @Override
                    public MetricGroup getMetricGroup() {
                        return null;
                    }

                    @Override
                    public UserCodeClassLoader getUserCodeClassLoader() {
                        // What the filesystem connector does.
                        return (UserCodeClassLoader) (Object) getClass().getClassLoader();
                    }
                });
        assertThat(schema.deserialize(RECORD)).isEqualTo(EXPECTED);
    }

    @Test
    void opensForColumnsOfSixtyFourLevels() throws Exception {
        RowType row = ROW;
        for (int level = 0; level < 64; level++) {
            row = RowType.of(new LogicalType[] {new ArrayType(row)}, new String[] {"nested"});
        }
        byte[] plan = new PlanBuilder(row, Profile.CONFLUENT, Framing.REGISTRY).build();
        try (WriterSchemaProvider.Open schemas = new OneSchema().open();
                RecordDecoder decoder = Engine.NATIVE.open(plan, schemas)) {
            assertThat(decoder.records()).isZero();
        }
    }

    @Test
    void schemasThatServeNoDecoderAreClosed() {
        var schema =
                new ProtobufDeserializationSchema(
                        new byte[] {1, 2, 3},
                        new OneSchema(),
                        Engine.AUTO,
                        RowOpener.generic(ROW),
                        InternalTypeInfo.of(ROW),
                        ErrorPolicy.fail(),
                        0);
        int closed = OneSchema.CLOSED.get();
        assertThatThrownBy(() -> schema.open(new Context())).isInstanceOf(RecordException.class);
        assertThat(OneSchema.CLOSED.get()).isEqualTo(closed + 1);
    }

    /** An Error too, as of a library that does not link, once all is open. */
    @Test
    void whatWasOpenedIsClosedIfTheRestFails() {
        Error failure = new LinkageError("planted");
        Context broken =
                new Context() {
                    @Override
                    public MetricGroup getMetricGroup() {
                        throw failure;
                    }
                };
        int closed = OneSchema.CLOSED.get();
        assertThatThrownBy(() -> schema(RowOpener.generic(ROW)).open(broken)).isSameAs(failure);
        assertThat(OneSchema.CLOSED.get()).isEqualTo(closed + 1);
    }

    private static ProtobufDeserializationSchema schema(RowOpener rows) {
        return new ProtobufDeserializationSchema(
                new PlanBuilder(ROW, Profile.CONFLUENT, Framing.REGISTRY).build(),
                new OneSchema(),
                Engine.NATIVE,
                rows,
                InternalTypeInfo.of(ROW),
                ErrorPolicy.fail(),
                0);
    }

    private static ProtobufDeserializationSchema skipping(WriterSchemaProvider schemas) {
        return new ProtobufDeserializationSchema(
                new PlanBuilder(ROW, Profile.CONFLUENT, Framing.REGISTRY).build(),
                schemas,
                Engine.NATIVE,
                RowOpener.generic(ROW),
                InternalTypeInfo.of(ROW),
                ErrorPolicy.skip(null),
                0);
    }

    /** Schemas that cannot be fetched. */
    private static final class NoRegistry implements WriterSchemaProvider {

        private static final long serialVersionUID = 1L;

        @Override
        public Open open() {
            return (key, indexes) -> {
                throw new RecordException(FailureCode.REGISTRY_UNREACHABLE, "down", key, null);
            };
        }
    }

    /** Every record was written with {@code message Order { int64 id = 1; string name = 2; }}. */
    private static final class OneSchema implements WriterSchemaProvider {

        private static final long serialVersionUID = 1L;
        static final AtomicInteger CLOSED = new AtomicInteger();

        private static final String TEXT =
                "syntax = \"proto3\"; message Order { int64 id = 1; string name = 2; }";

        @Override
        public Open open() {
            return new Open() {
                @Override
                public WriterMessage resolve(SchemaKey key, int[] indexes) {
                    try {
                        return WriterMessage.of(
                                WriterSchema.of(TEXT, Map.of()), indexes, SchemaOrigin.NONE);
                    } catch (SchemaException e) {
                        throw new AssertionError(e);
                    }
                }

                @Override
                public void close() {
                    CLOSED.incrementAndGet();
                }
            };
        }
    }

    /** A task with a class loader of its own. */
    private static class Context extends UnregisteredMetricsGroup
            implements DeserializationSchema.InitializationContext, UserCodeClassLoader {

        final Map<String, Counter> counters = new HashMap<>();
        final Map<String, Gauge<?>> gauges = new HashMap<>();
        final Map<String, Runnable> releaseHooks = new HashMap<>();
        private final ClassLoader userCode = new URLClassLoader(new URL[0]);

        @Override
        public <C extends Counter> C counter(String name, C counter) {
            counters.putIfAbsent(name, counter);
            return counter;
        }

        @Override
        public <T, G extends Gauge<T>> G gauge(String name, G gauge) {
            gauges.putIfAbsent(name, gauge);
            return gauge;
        }

        @Override
        public MetricGroup getMetricGroup() {
            return this;
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return this;
        }

        @Override
        public ClassLoader asClassLoader() {
            return userCode;
        }

        @Override
        public void registerReleaseHookIfAbsent(String name, Runnable hook) {
            releaseHooks.putIfAbsent(name, hook);
        }
    }
}
