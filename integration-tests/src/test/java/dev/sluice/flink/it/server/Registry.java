package dev.sluice.flink.it.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes.Name;
import java.util.jar.JarFile;

/**
 * One Apicurio registry in a child process, on loopback, with its storage in memory: a real server
 * that nobody here wrote. It speaks the Confluent API and ends with this JVM.
 */
public final class Registry {
    private static final Duration START_MAX = Duration.ofSeconds(120);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private static Registry shared;

    private final String url;

    private Registry(String url) {
        this.url = url;
    }

    /** The registry of this JVM, started by the first call. */
    public static synchronized Registry shared() {
        if (shared == null) {
            try {
                shared = start();
            } catch (IOException e) {
                throw new IllegalStateException("the registry did not start", e);
            }
        }
        return shared;
    }

    /** Where the Confluent API lives. */
    public String url() {
        return url;
    }

    /**
     * Registers a schema text under a subject.
     *
     * @param references import path to the subject that holds the imported file, first version
     * @return the schema id
     */
    public int register(String subject, String text, Map<String, String> references) {
        ObjectNode body = JSON.createObjectNode().put("schemaType", "PROTOBUF").put("schema", text);
        ArrayNode list = body.putArray("references");
        references.forEach(
                (path, of) ->
                        list.addObject().put("name", path).put("subject", of).put("version", 1));
        JsonNode id = call("POST", versions(subject), body).get("id");
        if (id == null) {
            throw new IllegalStateException("not registered under " + subject);
        }
        return id.asInt();
    }

    /** The schema id that the registry finds for the normal form of a text under a subject. */
    public int findNormalizedId(String subject, String text) {
        ObjectNode body = JSON.createObjectNode().put("schemaType", "PROTOBUF").put("schema", text);
        return call("POST", "/subjects/" + encoded(subject) + "?normalize=true", body)
                .get("id")
                .asInt();
    }

    /** How many versions a subject has. */
    public int versionCount(String subject) {
        return call("GET", versions(subject), null).size();
    }

    /** The text of a subject's latest version, as it is stored. */
    public String latestText(String subject) {
        return call("GET", versions(subject) + "/latest", null).get("schema").asText();
    }

    /** The schema id of a subject's latest version. */
    public int latestId(String subject) {
        return call("GET", versions(subject) + "/latest", null).get("id").asInt();
    }

    /** Refuses schemas that are not compatible in this way with those of the subject. */
    public void requireCompatible(String subject, String level) {
        call(
                "PUT",
                "/config/" + encoded(subject),
                JSON.createObjectNode().put("compatibility", level));
    }

    private static String versions(String subject) {
        return "/subjects/" + encoded(subject) + "/versions";
    }

    private static String encoded(String subject) {
        return URLEncoder.encode(subject, StandardCharsets.UTF_8).replace("+", "%20");
    }

    private JsonNode call(String method, String path, ObjectNode body) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .header("Content-Type", "application/vnd.schemaregistry.v1+json")
                        .method(
                                method,
                                body == null
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body.toString()))
                        .build();
        try {
            HttpResponse<String> answer = HTTP.send(request, BodyHandlers.ofString());
            if (answer.statusCode() != 200) {
                throw new IllegalStateException(
                        method + " " + path + ": " + answer.statusCode() + " " + answer.body());
            }
            return JSON.readTree(answer.body());
        } catch (IOException e) {
            throw new IllegalStateException("the registry does not answer", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static Registry start() throws IOException {
        Path home = Path.of(System.getProperty("registry.home"));
        int port = Ports.free();
        Path log = home.resolveSibling("registry-" + System.getProperty("flink.line") + ".log");
        Process process =
                new ProcessBuilder(command(home, port))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Registry registry = new Registry("http://127.0.0.1:" + port + "/apis/ccompat/v7");
        registry.awaitStart(process, log);
        return registry;
    }

    private static List<String> command(Path home, int port) throws IOException {
        Path runner = runner(home);
        String mainClass;
        try (JarFile jar = new JarFile(runner.toFile())) {
            mainClass = jar.getManifest().getMainAttributes().getValue(Name.MAIN_CLASS);
        }
        String ours = Tether.class.getProtectionDomain().getCodeSource().getLocation().getPath();
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx384m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Djava.util.logging.manager=org.jboss.logmanager.LogManager",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1",
                "-Dquarkus.management.port=" + Ports.free(),
                "-Dapicurio.storage.kind=sql",
                "-Dapicurio.storage.sql.kind=h2",
                "-Dapicurio.datasource.url=jdbc:h2:mem:registry;DB_CLOSE_DELAY=-1",
                "-cp",
                ours + File.pathSeparator + runner,
                Tether.class.getName(),
                mainClass);
    }

    private static Path runner(Path home) throws IOException {
        try (DirectoryStream<Path> jars = Files.newDirectoryStream(home, "*-runner.jar")) {
            return jars.iterator().next();
        }
    }

    private void awaitStart(Process process, Path log) throws IOException {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(url + "/subjects"))
                        .timeout(Duration.ofSeconds(5))
                        .build();
        long deadline = System.nanoTime() + START_MAX.toNanos();
        while (System.nanoTime() < deadline && process.isAlive()) {
            try {
                if (HTTP.send(request, BodyHandlers.discarding()).statusCode() == 200) {
                    return;
                }
            } catch (IOException e) {
                // not listening yet
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
            try {
                Thread.sleep(200);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException(e);
            }
        }
        process.destroyForcibly();
        throw new IOException("no answer from " + url + ", see " + log);
    }
}
