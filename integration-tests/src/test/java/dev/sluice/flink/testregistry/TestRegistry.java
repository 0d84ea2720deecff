package dev.sluice.flink.testregistry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * A registry on a free loopback port. Keeps every request that came in, answers them properly
 * unless a {@link Fault} is due, and asks for one {@code Authorization} header if told so.
 */
public final class TestRegistry implements AutoCloseable {
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final Subjects subjects = new Subjects();
    private final Routes routes = new Routes(subjects);
    private final List<Request> requests = new CopyOnWriteArrayList<>();
    private final Deque<Fault> faults = new ConcurrentLinkedDeque<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ExecutorService threads =
            Executors.newCachedThreadPool(
                    work -> {
                        Thread thread = new Thread(work, "test-registry");
                        thread.setDaemon(true);
                        return thread;
                    });
    private final HttpServer server;
    private volatile Fault lasting;
    private volatile String authorization;

    private TestRegistry() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    public static TestRegistry start() throws IOException {
        return new TestRegistry();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:" + port();
    }

    /** Registers as {@code POST /subjects/{subject}/versions} does; the id. */
    public int register(String subject, Submission submission) {
        return subjects.register(subject, submission).id;
    }

    /** The next version of {@code subject} under an id of the caller's choice, not validated. */
    public void put(String subject, int id, Submission submission) {
        subjects.put(subject, id, submission);
    }

    /** Soft-deletes one version. */
    public void delete(String subject, int version) {
        subjects.delete(subject, Integer.toString(version));
    }

    /** One fault for each of the next requests. */
    public void failNext(Fault... next) {
        faults.addAll(List.of(next));
    }

    /** The fault of every request from now on; null ends it. */
    public void failAlways(Fault fault) {
        lasting = fault;
    }

    /** From now on other requests get 401. */
    public void requireAuthorization(String header) {
        authorization = header;
    }

    /** All requests so far, oldest first. */
    public List<Request> requests() {
        return requests;
    }

    /** Path and query of all requests so far. */
    public List<String> targets() {
        return requests.stream().map(Request::target).toList();
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Request request =
                    new Request(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI().toString(),
                            exchange.getRequestHeaders(),
                            body);
            requests.add(request);
            Fault due = faults.poll();
            if (due == null) {
                due = lasting;
            }
            if (due == null) {
                answer(exchange, request);
            } else {
                fail(exchange, request, due);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void answer(HttpExchange exchange, Request request) throws IOException {
        try {
            if (authorization != null
                    && !authorization.equals(request.headers().getFirst("Authorization"))) {
                throw Refusal.unauthorized();
            }
            send(exchange, 200, CONTENT_TYPE, Json.write(routes.answer(request)));
        } catch (Refusal e) {
            String message = Json.write(e.getMessage());
            String body = "{\"error_code\":" + e.code + ",\"message\":" + message + "}";
            send(exchange, e.status, CONTENT_TYPE, body);
        }
    }

    private void fail(HttpExchange exchange, Request request, Fault fault)
            throws IOException, InterruptedException {
        switch (fault.kind()) {
            case ERROR -> send(exchange, fault.status(), CONTENT_TYPE, fault.text());
            case BODY -> send(exchange, fault.status(), "text/html", fault.text());
            case REDIRECT -> {
                exchange.getResponseHeaders().set("Location", fault.text());
                exchange.sendResponseHeaders(fault.status(), -1);
            }
            case SLOW -> {
                closing.await(fault.delay().toMillis(), TimeUnit.MILLISECONDS);
                answer(exchange, request);
            }
            case STALLED_BODY -> {
                sendHalf(exchange);
                closing.await();
            }
            case CUT_BODY -> sendHalf(exchange);
            case CUT -> exchange.close();
        }
    }

    private static void send(HttpExchange exchange, int status, String type, String body)
            throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    private static void sendHalf(HttpExchange exchange) throws IOException {
        byte[] half = "{\"schemaType\":\"PROTOBUF\",".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", CONTENT_TYPE);
        exchange.sendResponseHeaders(200, half.length * 2L);
        exchange.getResponseBody().write(half);
        exchange.getResponseBody().flush();
    }

    @Override
    public void close() {
        closing.countDown();
        server.stop(0);
        threads.shutdownNow();
    }
}
