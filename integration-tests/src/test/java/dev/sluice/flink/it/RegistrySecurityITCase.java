package dev.sluice.flink.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.sluice.flink.testregistry.KeyStores;
import dev.sluice.flink.testregistry.Secret;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestRegistry;
import dev.sluice.flink.testregistry.TestTokenEndpoint;

import org.apache.flink.util.ExceptionUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Registries that ask who is there, and show who they are. Every way in is tried in both forms of
 * the option {@code properties}; whoever is kept out learns why, and no secret.
 */
class RegistrySecurityITCase {
    private static final String SCHEMA =
            "syntax = \"proto3\"; package shop.v1; message Order { int64 id = 1; }";
    private static final String RIGHT = Secret.WORD + "-right";
    private static final String WRONG = Secret.WORD + "-wrong";
    private static final String CLIENT = "flink";

    @TempDir static Path folder;

    private static Topic topic;
    private static Path server;
    private static Path client;
    private static Path stranger;
    private static Path trust;

    private final Map<String, String> properties = new TreeMap<>();
    private TestRegistry registry;

    @BeforeAll
    static void fillTheTopicAndMakeKeys() throws Exception {
        ProtoFile file = ProtoFile.of("order.proto", SCHEMA);
        topic = Topic.create("secured");
        for (int id : new int[] {7, 8}) {
            topic.send(Frames.framed(id, new int[] {0}, file.bytes("Order", "id: " + id)));
        }
        KeyStores stores = new KeyStores(folder);
        server = stores.key("server", "ip:127.0.0.1");
        client = stores.key("client", "dns:client");
        stranger = stores.key("stranger", "dns:stranger");
        trust = stores.trust(server, "PKCS12");
    }

    @BeforeEach
    void start() throws Exception {
        open(TestRegistry.start());
        properties.put("max.retries", "0");
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private void open(TestRegistry started) {
        registry = started;
        registry.put("orders-value", 7, Submission.protobuf(SCHEMA));
        registry.put("orders-value", 8, Submission.protobuf(SCHEMA + " message Other {}"));
    }

    private void openTls(Path trusted) throws Exception {
        registry.close();
        open(TestRegistry.startTls(KeyStores.server(server, trusted), trusted != null));
    }

    private ConfluentTable table(String url) {
        return ConfluentTable.over(topic, "id BIGINT", url);
    }

    private void assertReads(String url) throws Exception {
        for (ConfluentTable table :
                new ConfluentTable[] {
                    table(url).withProperties(properties),
                    table(url).withPropertiesInOne(properties)
                }) {
            Sql sql = table.create();
            assertThat(sql.rows("SELECT * FROM t")).containsExactly("+I[7]", "+I[8]");
            String plan =
                    sql.rows(
                                    "EXPLAIN ESTIMATED_COST, CHANGELOG_MODE, JSON_EXECUTION_PLAN"
                                            + " SELECT * FROM t")
                            .toString();
            assertThat(plan).contains("Scan");
            assertNoSecret(plan);
        }
    }

    private void assertRefused(String url, String... reasons) {
        for (ConfluentTable table :
                new ConfluentTable[] {
                    table(url).withProperties(properties),
                    table(url).withPropertiesInOne(properties)
                }) {
            Sql sql = table.create();
            Throwable failure = catchThrowable(() -> sql.rows("SELECT * FROM t"));
            assertThat(failure).isNotNull();
            String text = ExceptionUtils.stringifyException(failure);
            assertThat(text).contains(reasons);
            assertNoSecret(text);
        }
    }

    /**
     * For tasks that fail before the first record. Not with a result that is collected: its sink
     * then takes the task manager down (FLINK-39330, not solved in Flink 2.3.0).
     */
    private void assertDoesNotOpen(String reason) {
        Sql sql = table(registry.url()).withProperties(properties).create();
        sql.run("CREATE TABLE nowhere (id BIGINT) WITH ('connector' = 'blackhole')");
        Throwable failure = catchThrowable(() -> sql.insert("INSERT INTO nowhere SELECT * FROM t"));
        String text = ExceptionUtils.stringifyException(failure);
        assertThat(text).contains(reason);
        assertNoSecret(text);
    }

    /** Does not repeat the text: what a red test prints would itself be a leak. */
    private static void assertNoSecret(String text) {
        assertThat(Secret.isIn(text)).as("a secret is shown").isFalse();
    }

    private String urlOf(String password) {
        return registry.url().replace("//", "//" + CLIENT + ":" + password + "@");
    }

    @Test
    void basicByUserInfo() throws Exception {
        registry.requireBasic(CLIENT, RIGHT);
        properties.put("basic.auth.credentials.source", "USER_INFO");
        properties.put("basic.auth.user.info", CLIENT + ":" + RIGHT);
        assertReads(registry.url());

        properties.put("basic.auth.user.info", CLIENT + ":" + WRONG);
        assertRefused(registry.url(), "registry-refused 506", "schema id 7", registry.url());
    }

    @Test
    void basicByTheUrl() throws Exception {
        registry.requireBasic(CLIENT, RIGHT);
        properties.put("schema.registry.basic.auth.credentials.source", "URL");
        assertReads(urlOf(RIGHT));
        assertRefused(urlOf(WRONG), "registry-refused 506", registry.url());
    }

    /** The table's own login at Kafka: here it is only read, as the broker asks for none. */
    @Test
    void basicByTheFormatsJaasText() throws Exception {
        registry.requireBasic(CLIENT, Secret.WORD);
        String login =
                "org.apache.kafka.common.security.plain.PlainLoginModule required"
                        + " username=\"flink\" password=\"%s\";";
        properties.put("basic.auth.credentials.source", "SASL_INHERIT");
        properties.put("sasl.jaas.config", String.format(login, Secret.WORD));
        assertReads(registry.url());

        properties.put("sasl.jaas.config", String.format(login, WRONG));
        assertRefused(registry.url(), "registry-refused 506", registry.url());
    }

    @Test
    void bearerByAStaticToken() throws Exception {
        registry.requireBearer(Secret.WORD);
        properties.put("bearer.auth.credentials.source", "STATIC_TOKEN");
        properties.put("schema.registry.bearer.auth.token", Secret.WORD);
        assertReads(registry.url());

        properties.put("schema.registry.bearer.auth.token", WRONG);
        assertRefused(registry.url(), "registry-refused 506", registry.url());
    }

    @Test
    void bearerByTokensThatAreFetched() throws Exception {
        try (TestTokenEndpoint tokens = TestTokenEndpoint.start(CLIENT, RIGHT)) {
            registry.requireTokensOf(tokens);
            askForTokens(tokens, RIGHT);
            assertReads(registry.url());

            askForTokens(tokens, WRONG);
            assertRefused(registry.url(), "registry-refused 506", tokens.url(), "HTTP 401");
        }
    }

    /**
     * Flink tells the table's options, but for values of options with certain words in the name.
     */
    @Test
    void aPlanningErrorShowsNoSecretOfAnOptionThatFlinkHides() {
        Sql sql =
                ConfluentTable.over(topic, "id BIGINT", registry.url())
                        .with("basic-auth.credentials-source", "USER_INFO")
                        .with("basic-auth.user-info", CLIENT + ":" + RIGHT)
                        .with("bearer-auth.credentials-source", "STATIC_TOKEN")
                        .with("bearer-auth.token", RIGHT)
                        .with("properties.bearer.auth.client.secret", RIGHT)
                        .with("ssl.truststore.password", RIGHT)
                        .with("properties.schema.registry.ssl.keystore.password", RIGHT)
                        .with("dead-letter.properties.sasl.jaas.config", RIGHT)
                        .create();
        Throwable failure = catchThrowable(() -> sql.rows("SELECT * FROM t"));
        String text = ExceptionUtils.stringifyException(failure);
        assertThat(text).contains("only one of", "Table options are");
        assertNoSecret(text);
    }

    private void askForTokens(TestTokenEndpoint tokens, String secret) {
        properties.put("bearer.auth.credentials.source", "OAUTHBEARER");
        properties.put("bearer.auth.issuer.endpoint.url", tokens.url());
        properties.put("bearer.auth.client.id", CLIENT);
        properties.put("bearer.auth.client.secret", secret);
    }

    /** Between two records of one job the token expires, or is taken back. */
    @Test
    void aTokenIsReplacedInMidJob() throws Exception {
        try (TestTokenEndpoint tokens = TestTokenEndpoint.start(CLIENT, RIGHT)) {
            registry.requireTokensOf(tokens);
            askForTokens(tokens, RIGHT);
            tokens.setLifetime(Duration.ofSeconds(2));
            Sql sql = table(registry.url()).withProperties(properties).create();
            int[] fetched = new int[2];
            String seen =
                    OnRow.call(
                            sql,
                            id -> {
                                fetched[(int) id - 7] = tokens.requests().size();
                                pause(id == 7 ? 2000 : 0);
                            });

            assertThat(sql.rows("SELECT " + seen + " FROM t")).containsExactly("+I[7]", "+I[8]");
            assertThat(fetched[1]).isEqualTo(fetched[0] + 1);
        }
    }

    private static void pause(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void trustTheServer() {
        properties.put("schema.registry.ssl.truststore.type", "PKCS12");
        properties.put("schema.registry.ssl.truststore.location", trust.toString());
        properties.put("schema.registry.ssl.truststore.password", KeyStores.PASSWORD);
    }

    @Test
    void tls() throws Exception {
        openTls(null);
        assertRefused(registry.url(), "registry-unreachable 505", "TLS", registry.url());

        trustTheServer();
        assertReads(registry.url());

        properties.put("schema.registry.ssl.truststore.password", WRONG);
        assertDoesNotOpen("'ssl.truststore.location'");
    }

    @Test
    void mutualTls() throws Exception {
        openTls(client);
        trustTheServer();
        assertRefused(registry.url(), "registry-unreachable 505", registry.url());

        properties.put("schema.registry.ssl.keystore.type", "PKCS12");
        properties.put("schema.registry.ssl.keystore.location", client.toString());
        properties.put("schema.registry.ssl.keystore.password", KeyStores.PASSWORD);
        assertReads(registry.url());

        properties.put("schema.registry.ssl.keystore.location", stranger.toString());
        assertRefused(registry.url(), "registry-unreachable 505", registry.url());

        properties.put("schema.registry.ssl.keystore.location", client.toString());
        properties.put("schema.registry.ssl.keystore.password", WRONG);
        assertDoesNotOpen("'ssl.keystore.location'");
    }
}
