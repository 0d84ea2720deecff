package dev.sluice.flink.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A registry on loopback that knows schemas by id and nothing else. */
final class SchemaServer {
    private static final Pattern BY_ID = Pattern.compile("/schemas/ids/(\\d+)");
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<Integer, String> texts = new ConcurrentHashMap<>();
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
        texts.put(id, text);
    }

    private void answer(HttpExchange exchange) throws IOException {
        Matcher path = BY_ID.matcher(exchange.getRequestURI().getPath());
        String text = path.matches() ? texts.get(Integer.valueOf(path.group(1))) : null;
        Map<String, Object> answer =
                text == null
                        ? Map.of("error_code", 40403, "message", "Schema not found")
                        : Map.of("schemaType", "PROTOBUF", "schema", text);
        byte[] body = JSON.writeValueAsString(answer).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(text == null ? 404 : 200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
