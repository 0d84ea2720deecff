package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.KeyStores;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestProxy;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;

import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** TLS and mutual TLS with stores of every type (C13), against a server of the JDK. */
@Timeout(60)
class TlsTest {
    private static final Submission ORDER =
            Submission.protobuf("syntax = \"proto3\"; message Order {}");

    @TempDir static Path folder;

    private static KeyStores stores;
    private static Path server;
    private static Path wrongHost;
    private static Path authority;
    private static Path expired;
    private static Path client;
    private static Path ecClient;

    @BeforeAll
    static void makeKeys() throws Exception {
        stores = new KeyStores(folder);
        server = stores.key("server", "ip:127.0.0.1");
        wrongHost = stores.key("elsewhere", "dns:registry.example");
        authority = stores.key("authority", "dns:authority", "-ext", "bc=ca:true");
        expired = stores.key("expired", "ip:127.0.0.1");
        stores.sign(expired, authority, "-startdate", "-9d", "-validity", "2");
        client = stores.key("client", "dns:client");
        ecClient = stores.key("ecclient", "dns:client");
    }

    private static Map<String, String> trusting(Path key) throws Exception {
        Map<String, String> properties = new HashMap<>();
        properties.put("max.retries", "0");
        properties.put("schema.registry.ssl.truststore.type", "PKCS12");
        properties.put(
                "schema.registry.ssl.truststore.location", stores.trust(key, "PKCS12").toString());
        properties.put("schema.registry.ssl.truststore.password", KeyStores.PASSWORD);
        return properties;
    }

    private static void read(TestRegistry registry, Map<String, String> properties)
            throws RegistryException {
        SchemaKey key = SchemaKey.ofId(registry.register("orders-value", ORDER));
        try (SchemaStore store = SchemaStore.open(RegistryConfig.of(registry.url(), properties))) {
            assertThat(store.schema(key, "").schema().messages()).hasSize(1);
        }
    }

    private static void assertUnreachable(
            TestRegistry registry, Map<String, String> properties, String reason) {
        assertThatThrownBy(() -> read(registry, properties))
                .isInstanceOfSatisfying(
                        RegistryException.class,
                        e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE))
                .hasMessageContaining("TLS")
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret");
    }

    @ParameterizedTest
    @CsvSource({"JKS", "PKCS12", "PEM"})
    void aServerIsTrustedByAStoreOfAnyType(String type) throws Exception {
        Map<String, String> properties = new HashMap<>();
        properties.put("schema.registry.ssl.truststore.type", type);
        properties.put(
                "schema.registry.ssl.truststore.location", stores.trust(server, type).toString());
        if (type.equals("PKCS12")) {
            properties.put("schema.registry.ssl.truststore.password", KeyStores.PASSWORD);
        }
        try (TestRegistry registry = TestRegistry.startTls(KeyStores.server(server, null), false)) {
            read(registry, properties);
        }
    }

    @Test
    void certificatesMayStandInTheProperties() throws Exception {
        String pem = KeyStores.certificatePem(wrongHost) + KeyStores.certificatePem(server);
        try (TestRegistry registry = TestRegistry.startTls(KeyStores.server(server, null), false)) {
            read(registry, Map.of("schema.registry.ssl.truststore.certificates", pem));
        }
    }

    @Test
    void theJvmDoesNotTrustAnyCertificate() throws Exception {
        try (TestRegistry registry = TestRegistry.startTls(KeyStores.server(server, null), false)) {
            assertUnreachable(registry, Map.of("max.retries", "0"), "certification path");
            assertUnreachable(registry, trusting(client), "certification path");
        }
    }

    @Test
    void anExpiredCertificateIsRefused() throws Exception {
        try (TestRegistry registry =
                TestRegistry.startTls(KeyStores.server(expired, null), false)) {
            assertUnreachable(registry, trusting(authority), "CertificateExpired");
        }
    }

    @Test
    void aWrongHostNameIsRefused() throws Exception {
        try (TestRegistry registry =
                TestRegistry.startTls(KeyStores.server(wrongHost, null), false)) {
            assertUnreachable(registry, trusting(wrongHost), "subject alternative names");
            Map<String, String> https = trusting(wrongHost);
            https.put("schema.registry.ssl.endpoint.identification.algorithm", "https");
            assertUnreachable(registry, https, "subject alternative names");
        }
    }

    /** Only in so many words, and never more than the host name. */
    @ParameterizedTest
    @ValueSource(strings = {"", " ", "none", "NONE"})
    void hostNamesAreNotCheckedIfTheTableSaysSo(String algorithm) throws Exception {
        Map<String, String> properties = trusting(wrongHost);
        properties.put("schema.registry.ssl.endpoint.identification.algorithm", algorithm);
        try (TestRegistry registry =
                        TestRegistry.startTls(KeyStores.server(wrongHost, null), false);
                TestRegistry other = TestRegistry.startTls(KeyStores.server(server, null), false)) {
            read(registry, properties);
            assertUnreachable(other, properties, "certification path");
        }
    }

    @ParameterizedTest
    @CsvSource({"PKCS12", "JKS", "PEM", "inline", "encrypted"})
    void aClientShowsItsCertificate(String type) throws Exception {
        for (Path key : new Path[] {client, ecClient}) {
            Map<String, String> properties = trusting(server);
            properties.putAll(ownKey(key, type));
            try (TestRegistry registry =
                    TestRegistry.startTls(KeyStores.server(server, key), true)) {
                read(registry, properties);
            }
        }
    }

    private static Map<String, String> ownKey(Path key, String type) throws Exception {
        String prefix = "schema.registry.ssl.";
        String pem = KeyStores.keyPem(key);
        String chain = KeyStores.certificatePem(key);
        switch (type) {
            case "inline":
                return Map.of(
                        prefix + "keystore.key", pem, prefix + "keystore.certificate.chain", chain);
            case "encrypted":
                return Map.of(
                        prefix + "keystore.key",
                        encrypted(pem),
                        prefix + "keystore.certificate.chain",
                        chain,
                        prefix + "key.password",
                        "s3cret-key");
            case "PEM":
                Path file = folder.resolve(key.getFileName() + ".pem");
                Files.writeString(file, chain + pem);
                return Map.of(
                        prefix + "keystore.type", "PEM",
                        prefix + "keystore.location", file.toUri().toString(),
                        prefix + "keystore.password", " ");
            default:
                // Java's JKS reads PKCS12 as well
                return Map.of(
                        prefix + "keystore.type",
                        type,
                        prefix + "keystore.location",
                        key.toString(),
                        prefix + "keystore.password",
                        KeyStores.PASSWORD);
        }
    }

    private static String encrypted(String pem) throws Exception {
        String base64 = pem.replaceAll("-----[^-]*-----", "");
        byte[] plain = Base64.getMimeDecoder().decode(base64);
        String algorithm = "PBEWithSHA1AndDESede";
        SecretKey secret =
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec("s3cret-key".toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        cipher.init(Cipher.ENCRYPT_MODE, secret);
        byte[] sealed = cipher.doFinal(plain);
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(cipher.getParameters(), sealed);
        return KeyStores.pem("ENCRYPTED PRIVATE KEY", info.getEncoded());
    }

    /** Whoever a redirect names would be shown who we are. */
    @ParameterizedTest
    @CsvSource({"PKCS12", "inline"})
    void aRedirectIsNotFollowedWithAKey(String type) throws Exception {
        Map<String, String> properties = trusting(server);
        properties.putAll(ownKey(client, type));
        try (TestRegistry registry = TestRegistry.startTls(KeyStores.server(server, client), true);
                TestRegistry other =
                        TestRegistry.startTls(KeyStores.server(server, client), true)) {
            registry.failAlways(Fault.redirect(other.url() + "/schemas/ids/1"));
            RegistryException refusal =
                    catchThrowableOfType(RegistryException.class, () -> read(registry, properties));
            assertThat(refusal.kind()).isEqualTo(Kind.UNEXPECTED);
            assertThat(refusal).hasMessageContaining("redirects");
            assertThat(other.requests()).isEmpty();
        }
    }

    /** Either is possible alone; both are not, as the suite is one of TLSv1.3. */
    @Test
    void versionsAndCipherSuitesAreThoseOfTheTable() throws Exception {
        Map<String, String> versions =
                Map.of("schema.registry.ssl.enabled.protocols", " TLSv1.2 ,TLSv1.2");
        Map<String, String> suites =
                Map.of("schema.registry.ssl.cipher.suites", "TLS_AES_256_GCM_SHA384");
        try (TestRegistry registry = TestRegistry.startTls(KeyStores.server(server, null), false)) {
            Map<String, String> properties = trusting(server);
            properties.putAll(versions);
            read(registry, properties);
            properties.putAll(suites);
            assertUnreachable(registry, properties, "No appropriate protocol");
            properties.keySet().removeAll(versions.keySet());
            read(registry, properties);
        }
        try (TestRegistry registry =
                TestRegistry.startTls(KeyStores.server(wrongHost, null), false)) {
            Map<String, String> properties = trusting(wrongHost);
            properties.putAll(versions);
            assertUnreachable(registry, properties, "subject alternative names");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.enabled.protocols, 'TLSv1.3,TLSv9', TLSv9",
        "ssl.cipher.suites, NO_SUITE, NO_SUITE",
        "ssl.cipher.suites, ' , ', does not know"
    })
    void anUnknownVersionOrSuiteIsRefusedWhileTheTableIsPlanned(
            String name, String value, String reason) {
        assertThatThrownBy(
                        () ->
                                RegistryConfig.of(
                                        "https://r:1", Map.of("schema.registry." + name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + name + "'")
                .hasMessageContaining(reason);
    }

    /** What the user page says is what a context is made of. */
    @Test
    void theDefaultVersionIsTheListedOne() throws Exception {
        RegistryConfig config = RegistryConfig.of("https://r:1", trusting(server));
        assertThat(config.tls().getProtocol())
                .isEqualTo(PropertyNames.defaultOf("schema.registry.ssl.protocol"));
    }

    @Test
    void aClientWithoutCertificateIsTurnedAway() throws Exception {
        try (TestRegistry registry =
                TestRegistry.startTls(KeyStores.server(server, client), true)) {
            RegistryException refusal =
                    catchThrowableOfType(
                            RegistryException.class, () -> read(registry, trusting(server)));
            assertThat(refusal.kind()).isEqualTo(Kind.UNREACHABLE);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "ssl.keystore.location, /none.p12, 'ssl.keystore.password'",
        "ssl.truststore.location, /none.jks, no such file",
        "ssl.keystore.key, x, 'ssl.keystore.certificate.chain'",
        "ssl.truststore.certificates, x, no certificate",
        "ssl.provider, Nobody, unknown provider",
        "ssl.protocol, TLSv9, TLSv9",
    })
    void whatCannotBeHonouredIsRefusedByName(String name, String value, String reason) {
        RegistryConfig config =
                RegistryConfig.of("https://r:1", Map.of("schema.registry." + name, value));
        assertThatThrownBy(() -> SchemaStore.open(config))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ssl.")
                .hasMessageContaining(reason);
    }

    @Test
    void aWrongPasswordIsNotShown() throws Exception {
        Map<String, String> properties = trusting(server);
        properties.put("schema.registry.ssl.truststore.password", "s3cret-wrong");
        RegistryConfig config = RegistryConfig.of("https://r:1", properties);
        assertThatThrownBy(() -> SchemaStore.open(config))
                .hasMessageContaining("'ssl.truststore.location'")
                .satisfies(
                        e -> {
                            for (Throwable at = e; at != null; at = at.getCause()) {
                                assertThat(at.toString()).doesNotContain("s3cret");
                            }
                        });
        assertThat(config.toString()).doesNotContain("s3cret");
    }

    @Test
    void theProxyIsUsed() throws Exception {
        try (TestRegistry registry = TestRegistry.start();
                TestProxy proxy = TestProxy.start(registry.port())) {
            String port = String.valueOf(proxy.port());
            read(registry, Map.of("proxy.host", "127.0.0.1", "proxy.port", port));
            assertThat(proxy.requestLines()).isNotEmpty();
        }
    }
}
