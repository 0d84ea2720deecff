package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.KeyStores;
import dev.sluice.flink.testregistry.Secret;
import dev.sluice.flink.testregistry.TestProxy;
import dev.sluice.flink.testregistry.TestRegistry;
import dev.sluice.flink.testregistry.TestTokenEndpoint;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Holds the table of faults in {@code docs/registry.md} against the client: each row is made to
 * happen, and what the client does is written down. {@code ./dev faults} writes the table anew.
 */
@Timeout(120)
class RegistryFaultsTest {
    private static final Path PAGE = Path.of(System.getProperty("sluice.docs"), "registry.md");
    private static final String BEGIN = "<!-- asked of the client -->\n";
    private static final String END = "<!-- end -->\n";
    private static final int ATTEMPTS = 4;

    private static RegistryFault.Certificates certificates;

    @BeforeAll
    static void makeCertificates(@TempDir Path folder) throws Exception {
        certificates = new RegistryFault.Certificates(folder);
    }

    @Test
    void thePageSaysWhatTheClientDoes() throws Exception {
        StringBuilder table =
                new StringBuilder("\n| fault | what the client does | what it ends as | code |\n")
                        .append("|---|---|---|---|\n");
        for (RegistryFault fault : RegistryFault.all(certificates)) {
            table.append(row(fault));
        }
        String page = Files.readString(PAGE);
        int from = page.indexOf(BEGIN) + BEGIN.length();
        String asked =
                page.substring(0, from) + table.append('\n') + page.substring(page.indexOf(END));
        if (Boolean.getBoolean("sluice.rewrite")) {
            Files.writeString(PAGE, asked);
        } else {
            assertThat(page).as("./dev faults brings it up to date").isEqualTo(asked);
        }
    }

    private static String row(RegistryFault fault) throws Exception {
        Outcome alone = Outcome.of(fault, false);
        Outcome withSecond = Outcome.of(fault, true);
        String done;
        if (alone.refusal == null) {
            done = alone.requests == 1 ? "asks once" : "asks again until it gets the schema";
            if (fault.name.equals("redirect")) {
                done = "follows it";
            } else if (alone.tokens > 0) {
                done = "fetches another token" + (alone.requests > 1 ? ", asks again" : "");
            }
        } else {
            // More where the JDK's client itself sends a request again that met a closed
            // connection.
            boolean retries = Math.max(alone.requests, alone.tokens) >= ATTEMPTS;
            boolean isFinal =
                    !retries && alone.requests == 1 || alone.refusal.kind().concernsRecord();
            assertThat(retries || isFinal || fault.isUnseen()).as(fault.name).isTrue();
            done = isFinal ? "does not ask again" : "retries";
            if (withSecond.askedSecond) {
                assertThat(withSecond.refusal).as(fault.name).isNull();
                done += ", then asks the next URL";
            }
        }
        return String.format(
                "| %s | %s | %s | %s |%n", fault.name, done, alone.end(), alone.code());
    }

    /** Cases of more than one question stand below the table with the test that plays them. */
    @Test
    void everyTestThatThePageNamesExists() throws Exception {
        Matcher named = Pattern.compile("`(\\w+Test)#(\\w+)`").matcher(Files.readString(PAGE));
        int count = 0;
        while (named.find()) {
            Class<?> test = Class.forName(getClass().getPackageName() + "." + named.group(1));
            assertThat(test.getDeclaredMethods())
                    .as(named.group())
                    .filteredOn(method -> method.getName().equals(named.group(2)))
                    .isNotEmpty();
            count++;
        }
        assertThat(count).isPositive();
    }

    /** What came of one fault, with a healthy registry second in the list or none. */
    private static final class Outcome {
        private static final String CLIENT = "flink";
        private static final String SECRET = Secret.WORD + "-faults";

        RegistryException refusal; // null if the schema was read
        int requests; // to the faulty registry since the trouble began
        int tokens; // likewise, token requests
        boolean askedSecond;

        /** Handshakes that fail are no requests: there a relay counts the connections. */
        static Outcome of(RegistryFault fault, boolean hasSecond) throws Exception {
            Outcome outcome = new Outcome();
            try (TestTokenEndpoint tokens = TestTokenEndpoint.start(CLIENT, SECRET);
                    TestRegistry faulty = registry(fault.key, fault, tokens);
                    TestRegistry second = registry(certificates.good, fault, tokens);
                    TestProxy relay = TestProxy.start(faulty.port())) {
                boolean isTls = fault.key != null;
                List<?> seen = isTls ? relay.requestLines() : faulty.requests();
                String urls = isTls ? "https://127.0.0.1:" + relay.port() : fault.url(faulty);
                urls += hasSecond ? "," + second.url() : "";
                tokens.setLifetime(fault.tokenLifetime);
                fault.trouble.make(faulty);
                try (SchemaStore store = SchemaStore.open(config(urls, fault, tokens))) {
                    if (fault.inMidJob != null) {
                        store.schema(SchemaKey.ofId(RegistryFault.EARLIER_ID), "");
                        fault.inMidJob.make(tokens);
                    }
                    outcome.requests = -seen.size();
                    outcome.tokens = -tokens.requests().size();
                    store.schema(SchemaKey.ofId(RegistryFault.ID), "");
                } catch (RegistryException e) {
                    outcome.refusal = e;
                }
                outcome.requests += seen.size();
                outcome.tokens += tokens.requests().size();
                outcome.askedSecond = !second.requests().isEmpty();
            }
            return outcome;
        }

        private static TestRegistry registry(
                Path key, RegistryFault fault, TestTokenEndpoint tokens) throws Exception {
            TestRegistry registry =
                    fault.key == null
                            ? TestRegistry.start()
                            : TestRegistry.startTls(KeyStores.server(key, null), false);
            registry.put("orders-value", RegistryFault.ID, fault.submission);
            registry.put("earlier-value", RegistryFault.EARLIER_ID, fault.submission);
            if (fault.inMidJob != null) {
                registry.requireTokensOf(tokens);
            }
            return registry;
        }

        private static RegistryConfig config(
                String urls, RegistryFault fault, TestTokenEndpoint tokens) {
            Map<String, String> properties = new HashMap<>();
            properties.put("max.retries", Integer.toString(ATTEMPTS - 1));
            properties.put("retries.wait.ms", "1");
            properties.put("http.read.timeout.ms", "5000");
            if (fault.inMidJob != null) {
                properties.put("bearer.auth.credentials.source", "OAUTHBEARER");
                properties.put("bearer.auth.issuer.endpoint.url", tokens.url());
                properties.put("bearer.auth.client.id", CLIENT);
                properties.put("bearer.auth.client.secret", SECRET);
            }
            for (int i = 0; i < fault.properties.size(); i += 2) {
                properties.put(fault.properties.get(i), fault.properties.get(i + 1));
            }
            return RegistryConfig.of(urls, properties);
        }

        String end() {
            if (refusal == null) {
                return "the schema is read";
            }
            return refusal.kind().concernsRecord() ? "record error" : "environment error";
        }

        String code() throws ReflectiveOperationException {
            if (refusal == null) {
                return "";
            }
            Method code =
                    Class.forName("dev.sluice.flink.format.RegistryWriterSchemas")
                            .getDeclaredMethod("code", Kind.class);
            code.setAccessible(true);
            return "`" + ((FailureCode) code.invoke(null, refusal.kind())).label() + "`";
        }
    }
}
