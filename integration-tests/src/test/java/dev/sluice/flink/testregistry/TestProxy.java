package dev.sluice.flink.testregistry;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Stands between a client and one server on the loopback address, and counts the connections. As a
 * relay it passes bytes; as a proxy it also answers {@code CONNECT}. Whatever host a proxied
 * request names, it goes to the one server.
 */
public final class TestProxy implements AutoCloseable {
    private final int target;
    private final ServerSocket server;
    private final List<String> requestLines = new CopyOnWriteArrayList<>();
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();

    private TestProxy(int target) throws IOException {
        this.target = target;
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        start(this::accept);
    }

    /**
     * @param target port of the server
     */
    public static TestProxy start(int target) throws IOException {
        return new TestProxy(target);
    }

    public int port() {
        return server.getLocalPort();
    }

    /** The first line of each connection: {@code CONNECT host:port HTTP/1.1} from a tunnel. */
    public List<String> requestLines() {
        return requestLines;
    }

    /** Connections that clients hold open now. */
    public int openConnections() {
        return open.size();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "test-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket client = server.accept();
                client.setTcpNoDelay(true);
                open.add(client);
                start(() -> serve(client));
            } catch (IOException e) {
                return; // closed
            }
        }
    }

    private void serve(Socket client) {
        try (client;
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target)) {
            upstream.setTcpNoDelay(true);
            byte[] buffer = new byte[8192];
            int length = Math.max(0, client.getInputStream().read(buffer));
            String head = new String(buffer, 0, length, StandardCharsets.ISO_8859_1);
            requestLines.add(head.split("\r\n", 2)[0]);
            if (head.startsWith("CONNECT ")) {
                while (!head.endsWith("\r\n\r\n")) {
                    head += (char) client.getInputStream().read();
                }
                byte[] established =
                        "HTTP/1.1 200 Connection established\r\n\r\n"
                                .getBytes(StandardCharsets.US_ASCII);
                client.getOutputStream().write(established);
            } else {
                upstream.getOutputStream().write(buffer, 0, length);
            }
            start(() -> pass(upstream, client));
            pass(client, upstream);
        } catch (IOException e) {
            // one side went away, and so does the other
        } finally {
            open.remove(client);
        }
    }

    /** Until either side ends; then both do. */
    private static void pass(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // as above
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        for (Socket client : open) {
            client.close();
        }
    }
}
