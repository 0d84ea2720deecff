package dev.sluice.flink.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.plan.ResolvedSchema;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;

import org.apache.flink.util.InstantiationUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;

class RegistryWriterSchemasTest {

    private static final String ORDER =
            "{\"schemaType\":\"PROTOBUF\",\"schema\":\"syntax = \\\"proto3\\\";"
                    + " message Order { int64 id = 1; message Line { string sku = 1; } }\"}";

    private HttpServer server;
    private String url;

    @BeforeEach
    void startRegistry() throws Exception {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        url = "http://127.0.0.1:" + server.getAddress().getPort();
        answer(1, 200, ORDER);
        answer(2, 200, "{\"schema\":\"{}\"}");
        answer(3, 200, "{\"schemaType\":\"PROTOBUF\",\"schema\":\"message {\"}");
        answer(4, 404, "{\"error_code\":40403,\"message\":\"Schema not found\"}");
        answer(5, 401, "{\"error_code\":40101,\"message\":\"Unauthorized\"}");
        answer(6, 503, "{\"error_code\":50301,\"message\":\"Not yet\"}");
        server.start();
    }

    private void answer(int id, int status, String body) {
        server.createContext(
                "/schemas/ids/" + id,
                exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
    }

    @AfterEach
    void stopRegistry() {
        server.stop(0);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, Order", "1, 0, Order.Line"})
    void messageIsFoundByItsIndexes(int depth, int index, String name) throws Exception {
        int[] indexes = depth == 0 ? new int[] {index} : new int[] {0, index};
        try (WriterSchemaProvider.Open schemas = provider().open()) {
            WriterMessage message = schemas.resolve(SchemaKey.ofId(1), indexes);
            ResolvedSchema resolved = ResolvedSchema.parseFrom(message.resolved());
            assertThat(message.descriptor().getFullName()).isEqualTo(name);
            assertThat(resolved.getMessages(resolved.getRoot()).getFullName()).isEqualTo(name);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "1, 9, UNKNOWN_MESSAGE_INDEX",
        "2, 0, OTHER_SCHEMA_TYPE",
        "3, 0, BAD_SCHEMA",
        "4, 0, SCHEMA_NOT_FOUND",
        "5, 0, REGISTRY_REFUSED",
        "6, 0, REGISTRY_UNREACHABLE"
    })
    void schemaThatCannotServeFailsWithACode(int id, int index, FailureCode code) {
        try (WriterSchemaProvider.Open schemas = provider().open()) {
            assertThatThrownBy(() -> schemas.resolve(SchemaKey.ofId(id), new int[] {index}))
                    .isInstanceOfSatisfying(
                            RecordException.class, e -> assertThat(e.code()).isEqualTo(code))
                    .hasMessageContaining("schema id " + id)
                    .hasCauseInstanceOf(Exception.class);
        }
    }

    @Test
    void registryThatIsDownFailsTheRecordWithItsUrl() {
        server.stop(0);
        try (WriterSchemaProvider.Open schemas = provider().open()) {
            assertThatThrownBy(() -> schemas.resolve(SchemaKey.ofId(1), new int[] {0}))
                    .isInstanceOf(RecordException.class)
                    .hasMessageStartingWith("[registry-unreachable 505]")
                    .hasMessageContaining(url)
                    .hasMessageNotContaining("s3cret");
        }
    }

    @Test
    void providerIsAValueThatSurvivesSerialization() throws Exception {
        RegistrySchemaProvider shipped = InstantiationUtil.clone(provider());
        assertThat(shipped).isEqualTo(provider()).hasSameHashCodeAs(provider());
        assertThat(shipped.toString()).contains(url).doesNotContain("s3cret");
        try (WriterSchemaProvider.Open schemas = shipped.open()) {
            assertThat(schemas.resolve(SchemaKey.ofId(1), new int[] {0}).resolved()).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource(RegistryException.Kind.class)
    void onlyTroubleOfTheRecordMayCountAsSuch(RegistryException.Kind kind) {
        assertThat(RegistryWriterSchemas.code(kind).isRecordsFault())
                .isEqualTo(kind.concernsRecord());
    }

    @Test
    void everySchemaTroubleHasACode() {
        assertThat(EnumSet.allOf(SchemaException.Kind.class))
                .allSatisfy(
                        kind ->
                                assertThat(RegistryWriterSchemas.code(kind).isRecordsFault())
                                        .isTrue());
    }

    private RegistrySchemaProvider provider() {
        return new RegistrySchemaProvider(
                RegistryConfig.of(
                        url.replace("//", "//user:s3cret@"),
                        Map.of("max.retries", "1", "retries.wait.ms", "1")),
                new SchemaChoice("", new ReaderSchema.Builder().build(), false, true, null));
    }
}
