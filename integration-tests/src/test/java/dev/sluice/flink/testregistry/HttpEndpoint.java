package dev.sluice.flink.testregistry;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * A server on a free loopback port, plain or with TLS. Keeps every request that came in and answers
 * it by its function, unless a {@link Fault} is due; a {@link Refusal} becomes an error answer.
 */
final class HttpEndpoint implements AutoCloseable {
    private final String contentType;
    private final Function<Request, Object> answers;
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

    /**
     * @param tls null for plain HTTP
     * @param answers from a request to the value of its JSON answer
     */
    HttpEndpoint(
            SSLContext tls,
            boolean wantsClientCertificate,
            String contentType,
            Function<Request, Object> answers)
            throws IOException {
        this.contentType = contentType;
        this.answers = answers;
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        if (tls == null) {
            server = HttpServer.create(address, 0);
        } else {
            HttpsServer secured = HttpsServer.create(address, 0);
            secured.setHttpsConfigurator(configurator(tls, wantsClientCertificate));
            server = secured;
        }
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    private static HttpsConfigurator configurator(SSLContext tls, boolean wantsClientCertificate) {
        return new HttpsConfigurator(tls) {
            @Override
            public void configure(HttpsParameters connection) {
                SSLParameters parameters = getSSLContext().getDefaultSSLParameters();
                parameters.setNeedClientAuth(wantsClientCertificate);
                connection.setSSLParameters(parameters);
            }
        };
    }

    int port() {
        return server.getAddress().getPort();
    }

    boolean isTls() {
        return server instanceof HttpsServer;
    }

    void failNext(Fault... next) {
        faults.addAll(List.of(next));
    }

    void failAlways(Fault fault) {
        lasting = fault;
    }

    List<Request> requests() {
        return requests;
    }

    private void serve(HttpExchange exchange) throws IOException {
        try (exchange) {
            String body =
                    new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
            Request request =
                    Request.of(
                            exchange.getRequestMethod(),
                            exchange.getRequestURI(),
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
            send(exchange, 200, contentType, Json.write(answers.apply(request)));
        } catch (Refusal e) {
            String body = Json.write(Map.of("error_code", e.code, "message", e.getMessage()));
            send(exchange, e.status, contentType, body);
        }
    }

    private void fail(HttpExchange exchange, Request request, Fault fault)
            throws IOException, InterruptedException {
        switch (fault.kind()) {
            case ERROR -> send(exchange, fault.status(), contentType, fault.text());
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

    private void sendHalf(HttpExchange exchange) throws IOException {
        byte[] half = "{\"schemaType\":\"PROTOBUF\",".getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", contentType);
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
