package dev.sluice.flink.registry;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.net.ProxySelector;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;

/**
 * One HTTP client with threads of its own; makes single attempts, each under one deadline.
 *
 * <p>The deadline covers connecting, headers and body: the JDK's own time-out ends with the headers
 * and would wait for ever on a stalled body. Redirects are followed (never from https to http) only
 * when requests carry nothing confidential.
 *
 * <p>Threads are daemons, have our class loader as context class loader and end when idle, so even
 * a transport that nobody closes leaves none behind. {@link #close()} ends them at once; before JDK
 * 21 the HTTP client's own selector thread and idle sockets follow with the next garbage
 * collection, as it cannot be closed.
 */
final class Transport implements AutoCloseable {
    /** Far above any schema; guards the heap against an endless answer. */
    static final int BODY_BYTES_MAX = 16 << 20;

    private static final int THREADS = 4;
    private static final int IDLE_SECONDS = 5;
    private static final AtomicInteger THREAD_COUNT = new AtomicInteger();

    private final RegistryConfig config;
    private final ThreadPoolExecutor executor;
    private final Set<CompletableFuture<?>> pending = ConcurrentHashMap.newKeySet();
    private volatile HttpClient client; // null once closed

    Transport(RegistryConfig config) {
        this.config = config;
        executor =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        Transport::thread);
        executor.allowCoreThreadTimeOut(true);
        client = client(config, executor);
    }

    private static Thread thread(Runnable work) {
        Thread thread = new Thread(work, "sluice-registry-" + THREAD_COUNT.incrementAndGet());
        thread.setDaemon(true);
        thread.setContextClassLoader(Transport.class.getClassLoader());
        return thread;
    }

    /** The client starts a thread that inherits the context class loader of its creator. */
    private static HttpClient client(RegistryConfig config, ThreadPoolExecutor executor) {
        Thread creator = Thread.currentThread();
        ClassLoader loader = creator.getContextClassLoader();
        creator.setContextClassLoader(Transport.class.getClassLoader());
        try {
            HttpClient.Builder builder = HttpClient.newBuilder();
            SSLContext tls = config.tls();
            if (tls != null) {
                builder.sslContext(tls);
            }
            SSLParameters parameters = config.tlsParameters();
            if (parameters != null) {
                builder.sslParameters(parameters);
            }
            if (config.proxy() != null) {
                builder.proxy(ProxySelector.of(config.proxy()));
            }
            return builder.version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(config.connectTimeout())
                    .executor(executor)
                    .followRedirects(
                            config.isConfidential()
                                    ? HttpClient.Redirect.NEVER
                                    : HttpClient.Redirect.NORMAL)
                    .build();
        } finally {
            creator.setContextClassLoader(loader);
        }
    }

    /**
     * One request, whatever status it brings.
     *
     * @param body null for a GET; else what is POSTed
     * @throws IOException if no complete answer came before the deadline
     * @throws IllegalStateException if the transport is closed, also in the meantime
     */
    Answer ask(RegistryUrl url, String path, Map<String, String> headers, byte[] body)
            throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(url.resolve(path));
        if (body == null) {
            request.GET();
        } else {
            request.POST(HttpRequest.BodyPublishers.ofByteArray(body));
        }
        headers.forEach(request::header);
        HttpResponse<byte[]> whole = send(request);
        String location = whole.headers().firstValue("Location").orElse(null);
        return new Answer(url, whole.statusCode(), location, whole.body());
    }

    /**
     * One request, as {@link #ask}.
     *
     * @return its body is null if it was longer than {@link #BODY_BYTES_MAX}
     */
    HttpResponse<byte[]> send(HttpRequest.Builder request)
            throws IOException, InterruptedException {
        request.timeout(config.attemptTimeout());
        AtomicReference<BoundedBody> body = new AtomicReference<>();
        CompletableFuture<HttpResponse<byte[]>> answer =
                openClient()
                        .sendAsync(
                                request.build(),
                                head -> {
                                    body.set(new BoundedBody(BODY_BYTES_MAX));
                                    return body.get();
                                });
        pending.add(answer);
        try {
            openClient(); // closed between sending and adding
            return answer.get(config.attemptTimeout().toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new HttpTimeoutException("deadline");
        } catch (CancellationException e) {
            throw closed();
        } catch (ExecutionException e) {
            throw asIoException(e.getCause());
        } finally {
            pending.remove(answer);
            giveUp(answer, body.get());
        }
    }

    /** Nothing happens if the answer is complete. */
    private static void giveUp(CompletableFuture<?> answer, BoundedBody body) {
        if (!answer.isDone() || answer.isCompletedExceptionally()) {
            answer.cancel(true); // since JDK 16 this alone aborts the exchange
            if (body != null) {
                body.cancel();
            }
        }
    }

    private static IOException asIoException(Throwable failure) {
        return failure instanceof IOException
                ? (IOException) failure
                : new IOException(failure.toString(), failure);
    }

    private HttpClient openClient() {
        HttpClient open = client;
        if (open == null) {
            throw closed();
        }
        return open;
    }

    private static IllegalStateException closed() {
        return new IllegalStateException("the schema store is closed");
    }

    @Override
    public void close() {
        HttpClient closing = client;
        client = null;
        if (closing != null) {
            pending.forEach(answer -> answer.cancel(true));
            shutDown(closing);
            executor.shutdownNow();
        }
    }

    private static void shutDown(HttpClient client) {
        try {
            HttpClient.class.getMethod("shutdownNow").invoke(client); // JDK 21 and later
        } catch (NoSuchMethodException e) {
            return; // the garbage collector does it
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalStateException("the HTTP client does not close", e);
        }
    }
}
