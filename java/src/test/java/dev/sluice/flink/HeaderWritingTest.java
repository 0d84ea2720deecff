package dev.sluice.flink;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.kafka.ProducerHeaders;
import dev.sluice.flink.kafka.RecordInterceptor;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.table.api.DataTypes;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.catalog.Column;
import org.apache.flink.table.data.GenericRowData;
import org.apache.flink.table.data.RowData;
import org.apache.flink.util.UserCodeClassLoader;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.URL;
import java.net.URLClassLoader;
import java.util.HexFormat;
import java.util.Map;

/** Option {@code id-encoding}: what stands in payload and header, and what it asks for. */
class HeaderWritingTest {
    private static final String PREFIX = "value.proto-confluent.";
    private static final String INTERCEPTORS = "properties.interceptor.classes";
    private static final Column ID = Column.physical("id", DataTypes.BIGINT());
    private static final Submission SCHEMA =
            Submission.protobuf(
                    "syntax = \"proto3\"; package shop; message Head { int64 at = 1; }"
                            + " message Order { int64 id = 3; }");
    private static final String PAYLOAD = "1805";

    private TestRegistry registry;
    private int id;

    @BeforeEach
    void start() throws Exception {
        registry = TestRegistry.start();
        id = registry.register("orders-value", SCHEMA);
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private Map<String, String> table(String encoding, String interceptors) {
        Map<String, String> table = FakeKafka.options();
        table.put(PREFIX + "url", registry.url());
        table.put(PREFIX + "message-name", "shop.Order");
        table.put(PREFIX + "id-encoding", encoding);
        if (interceptors != null) {
            table.put(INTERCEPTORS, interceptors);
        }
        return table;
    }

    private SerializationSchema<RowData> opened(String encoding) throws Exception {
        SerializationSchema<RowData> schema =
                FakeKafka.encoding(table(encoding, RecordInterceptor.class.getName()), ID)
                        .createRuntimeEncoder(
                                null, DataTypes.ROW(DataTypes.FIELD("id", DataTypes.BIGINT())));
        schema.open(new NoSink());
        return schema;
    }

    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void theHeaderHoldsGuidAndIndexesAndThePayloadIsBare() throws Exception {
        ProducerHeaders headers = new ProducerHeaders();
        SerializationSchema<RowData> schema = opened("header");
        byte[] payload = schema.serialize(GenericRowData.of(5L));

        assertThat(hex(payload)).isEqualTo(PAYLOAD);
        assertThat(hex(headers.ofValue(payload)))
                .isEqualTo("01" + SCHEMA.guid().toString().replace("-", "") + "0202");
        assertThat(schema.serialize(null)).isNull();
    }

    /** Such a registry finds no schema by GUID, so that nobody could read what names one. */
    @Test
    void theHeaderHoldsTheIdWhereTheRegistryTellsNoGuid() throws Exception {
        registry.withholdGuids();
        ProducerHeaders headers = new ProducerHeaders();
        byte[] payload = opened("header").serialize(GenericRowData.of(5L));

        assertThat(hex(payload)).isEqualTo(PAYLOAD);
        assertThat(hex(headers.ofValue(payload))).isEqualTo(String.format("00%08x0202", id));
    }

    @Test
    void anEmptyMessageIsAnEmptyPayloadOfItsOwn() throws Exception {
        ProducerHeaders headers = new ProducerHeaders();
        SerializationSchema<RowData> schema = opened("header");
        byte[] first = schema.serialize(GenericRowData.of((Object) null));
        assertThat(first).isEmpty();
        assertThat(headers.ofValue(first)).isNotNull();

        assertThat(schema.serialize(GenericRowData.of((Object) null))).isEmpty();
        assertThat(headers.ofValue(first)).isNull();
    }

    @Test
    void payloadAndPrefixAreTheSame() throws Exception {
        String framed = String.format("00%08x0202", id) + PAYLOAD;
        for (String encoding : new String[] {"payload", "prefix"}) {
            SerializationSchema<RowData> schema = opened(encoding);
            assertThat(hex(schema.serialize(GenericRowData.of(5L)))).isEqualTo(framed);
            assertThat(hex(schema.serialize(GenericRowData.of(5L)))).isEqualTo(framed);
        }
    }

    @Test
    void aTableWithoutTheInterceptorIsRefusedWithTheProperty() {
        for (String others : new String[] {null, "x.Y"}) {
            assertThatThrownBy(() -> FakeKafka.encoding(table("header", others), ID))
                    .isInstanceOf(ValidationException.class)
                    .hasStackTraceContaining("'id-encoding' = 'header'")
                    .hasStackTraceContaining(
                            "'" + INTERCEPTORS + "' = '" + RecordInterceptor.class.getName() + "'");
        }
    }

    @Test
    void aSourceWithTheOptionIsAsWithout() {
        Map<String, String> without = table("header", null);
        without.remove(PREFIX + "id-encoding");

        assertThat(FakeKafka.decoding(table("header", null), ID))
                .isEqualTo(FakeKafka.decoding(without, ID));
    }

    @Test
    void sinksThatDifferByTheOptionAreNotEqual() {
        String ours = RecordInterceptor.class.getName();
        assertThat(FakeKafka.encoding(table("header", ours), ID))
                .isEqualTo(FakeKafka.encoding(table("header", ours), ID))
                .isNotEqualTo(FakeKafka.encoding(table("payload", ours), ID));
    }

    /** The class that the schema sees has met no producer: it is of another class loader. */
    @Test
    void nothingIsWrittenWhereNoProducerPutsHeaders() throws Exception {
        URL[] classes = {
            RecordInterceptor.class.getProtectionDomain().getCodeSource().getLocation(),
            ProducerHeaders.class.getProtectionDomain().getCodeSource().getLocation()
        };
        try (URLClassLoader alone =
                new URLClassLoader(classes, ClassLoader.getPlatformClassLoader())) {
            Class<?> type = alone.loadClass("dev.sluice.flink.kafka.PayloadHeader");
            Object header = type.getConstructor(byte[].class).newInstance(new byte[] {0});

            assertThatThrownBy(
                            () ->
                                    type.getMethod("awaitSending", byte[].class)
                                            .invoke(header, new byte[] {1}))
                    .hasRootCauseInstanceOf(IllegalStateException.class)
                    .hasStackTraceContaining(
                            "'" + INTERCEPTORS + "' = '" + RecordInterceptor.class.getName() + "'");
        }
    }

    /** Where a schema is opened outside a job. */
    private static final class NoSink implements SerializationSchema.InitializationContext {
        @Override
        public MetricGroup getMetricGroup() {
            return null;
        }

        @Override
        public UserCodeClassLoader getUserCodeClassLoader() {
            return null;
        }
    }
}
