package dev.sluice.flink.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** A registry on loopback that knows schemas by id and the files that they import. */
final class SchemaServer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, Map<String, Object>> answers = new ConcurrentHashMap<>();
    private final HttpServer server;

    SchemaServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::answer);
        server.start();
    }

    String url() {
        return "http://localhost:" + server.getAddress().getPort();
    }

    void add(int id, String text) {
        add(id, text, Map.of());
    }

    /**
     * @param files that the schema may import, by name
     */
    void add(int id, String text, Map<String, String> files) {
        List<Map<String, Object>> references = new ArrayList<>();
        files.forEach(
                (name, file) -> {
                    if (text.contains('"' + name + '"')) {
                        references.add(Map.of("name", name, "subject", name, "version", 1));
                    }
                    answers.put("/subjects/" + name + "/versions/1", schema(file, List.of()));
                });
        answers.put("/schemas/ids/" + id, schema(text, references));
    }

    private static Map<String, Object> schema(String text, List<Map<String, Object>> references) {
        return Map.of("schemaType", "PROTOBUF", "schema", text, "references", references);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Map<String, Object> known = answers.get(exchange.getRequestURI().getPath());
        Map<String, Object> answer =
                known == null ? Map.of("error_code", 40403, "message", "Schema not found") : known;
        byte[] body = JSON.writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(known == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
