package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;

class RegistryConfigTest {
    private static final String URL = "http://localhost:8081";

    @Test
    void readsAListOfUrlsWithBlanksAndTrailingSlashes() {
        RegistryConfig config =
                RegistryConfig.of(" http://a:1/ ,https://b/contexts/x/,, http://c", Map.of());
        assertThat(config.urlList())
                .extracting(RegistryUrl::toString)
                .containsExactly("http://a:1", "https://b/contexts/x", "http://c");
        assertThat(config.urlList().get(1).resolve("/schemas/ids/7"))
                .hasToString("https://b/contexts/x/schemas/ids/7");
    }

    @Test
    void cutsUserInfoOffTheAddressUndecoded() {
        RegistryUrl url = RegistryUrl.list("http://me:p%40^@ss@host:8081/x@y").get(0);
        assertThat(url).hasToString("http://host:8081/x@y");
        assertThat(url.userInfo()).isEqualTo("me:p%40^@ss");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " , ",
                "localhost:8081",
                "ftp://a",
                "http://",
                "http://a b",
                "http://a?x=1",
                "http://a/#f",
                "http://ok,http://a:no-port"
            })
    void refusesWhatIsNoUrl(String urls) {
        assertThatThrownBy(() -> RegistryConfig.of(urls, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("registry URL");
    }

    @ParameterizedTest(name = "{index}")
    @ValueSource(
            strings = {
                "http://me:s3cret/s3cret@host",
                "http://me:s3cret,s3cret@h",
                "http://me:s3cret^"
            })
    void doesNotQuoteAnInvalidUrlThatMayHoldAPassword(String urls) {
        assertThatThrownBy(() -> RegistryConfig.of(urls, Map.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageNotContaining("s3cret")
                .hasNoCause();
    }

    @Test
    void isAValueWhateverTheSpellingOfProperties() {
        RegistryConfig bare = RegistryConfig.of("http://a,http://b", Map.of("max.retries", "1"));
        RegistryConfig prefixed =
                RegistryConfig.of(
                        "http://a/ , http://b", Map.of("schema.registry.max.retries", "1"));
        assertThat(prefixed).isEqualTo(bare).hasSameHashCodeAs(bare);
        assertThat(RegistryConfig.of("http://b,http://a", Map.of("max.retries", "1")))
                .isNotEqualTo(bare);
        assertThat(RegistryConfig.of("http://a,http://b", Map.of())).isNotEqualTo(bare);
        assertThat(RegistryConfig.of("http://u:p@a,http://b", Map.of("max.retries", "1")))
                .isNotEqualTo(bare);
    }

    @Test
    void prefersThePrefixedSpelling() {
        RegistryConfig config =
                RegistryConfig.of(
                        URL, Map.of("schema.registry.max.retries", "7", "max.retries", "1"));
        assertThat(config.retryPolicy().retries()).isEqualTo(7);
    }

    @Test
    void survivesSerialization() throws Exception {
        RegistryConfig config =
                RegistryConfig.of(
                        "http://u:p@a",
                        Map.of(
                                "basic.auth.credentials.source", "URL",
                                "http.read.timeout.ms", "123",
                                "request.header.X-Team", "orders"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(config);
        }
        RegistryConfig copy;
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            copy = (RegistryConfig) in.readObject();
        }
        assertThat(copy).isEqualTo(config);
        assertThat(copy.attemptTimeout()).hasMillis(123);
        assertThat(copy.requestHeaders()).containsEntry("x-team", "orders");
        assertThat(copy.credentials().authorization(copy.urlList().get(0))).isEqualTo("Basic dTpw");
    }

    @ParameterizedTest
    @CsvSource({
        "basic.auth.credentials.source, USER_INFO, basic.auth.user.info, Basic bWU6aMO8c2g=",
        "bearer.auth.credentials.source, STATIC_TOKEN, bearer.auth.token, Bearer me:hüsh"
    })
    void makesTheAuthorizationHeader(String source, String name, String secret, String header) {
        RegistryConfig config =
                RegistryConfig.of(
                        URL, Map.of(source, name, "schema.registry." + secret, "me:hüsh"));
        assertThat(config.credentials().authorization(config.urlList().get(0))).isEqualTo(header);
    }

    @Test
    void declaredDefaultsAndUserInfoInTheUrlDoNotSwitchAuthenticationOn() {
        RegistryConfig config = RegistryConfig.of("http://me:s3cret@a", Map.of());
        assertThat(config.credentials().authorization(config.urlList().get(0))).isNull();
    }

    @ParameterizedTest(name = "{0}: {2}")
    @CsvSource({
        "basic.auth.credentials.source, SASL_INHERIT, 'sasl.jaas.config'",
        "basic.auth.credentials.source, user_info, unknown source",
        "basic.auth.credentials.source, USER_INFO, 'basic.auth.user.info' is required",
        "basic.auth.user.info, me:s3cret, no effect without 'basic.auth.credentials.source'",
        "bearer.auth.credentials.source, OAUTHBEARER, 'bearer.auth.issuer.endpoint.url' is"
                + " required",
        "bearer.auth.credentials.source, SASL_OAUTHBEARER_INHERIT, not supported yet",
        "bearer.auth.credentials.source, UAMI, not supported yet",
        "bearer.auth.credentials.source, CUSTOM, not supported yet",
        "bearer.auth.credentials.source, s3cret, unknown source",
        "bearer.auth.credentials.source, STATIC_TOKEN, 'bearer.auth.token' is required",
        "bearer.auth.token, s3cret, no effect without 'bearer.auth.credentials.source'",
        "bearer.auth.client.secret, s3cret, no effect without 'bearer.auth.credentials.source'",
        "bearer.auth.custom.provider.class, s3cret, not supported yet",
        "bearer.auth.uami.endpoint.query, s3cret, source UAMI",
        "schema.registry.ssl.engine.factory.class, x.Y, classes of other jars",
        "schema.registry.ssl.secure.random.implementation, DRBG, come from the JVM",
        "schema.registry.ssl.truststore.file, x, not supported yet",
        "proxy.user, p, not supported yet",
        "max.retries, -1, at least 0",
        "http.read.timeout.ms, 0, at least 1",
        "retries.wait.ms, soon, whole number",
        "request.header.Host, x, cannot be sent",
        "request.header.X-Key, 's3cret\ns3cret', cannot be sent",
    })
    void refusesByNameWhatItDoesNotUnderstand(String name, String value, String reason) {
        assertThatThrownBy(() -> RegistryConfig.of(URL, Map.of(name, value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(
                        name.replace("schema.registry.", "").replace("request.header.", ""))
                .hasMessageContaining(reason)
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void refusesTwoKindsOfCredentialsAndUnsendableOnes() {
        assertThatThrownBy(
                        () ->
                                RegistryConfig.of(
                                        URL,
                                        Map.of(
                                                "basic.auth.credentials.source", "URL",
                                                "bearer.auth.credentials.source", "STATIC_TOKEN",
                                                "bearer.auth.token", "s3cret")))
                .hasMessageContaining("only one of");
        assertThatThrownBy(
                        () ->
                                RegistryConfig.of(
                                        URL,
                                        Map.of(
                                                "bearer.auth.credentials.source", "STATIC_TOKEN",
                                                "bearer.auth.token", "s3cret\r\nX: s3cret")))
                .hasMessageContaining("credentials cannot be sent")
                .hasMessageNotContaining("s3cret");
    }

    @Test
    void leavesOutBlankValuesAndPropertiesOfOtherParts() {
        RegistryConfig config =
                RegistryConfig.of(
                        URL,
                        Map.of(
                                "basic.auth.credentials.source", " ",
                                "basic.auth.user.info", "",
                                "key.message-class", "shop.Order",
                                "schema.registry.url", "http://elsewhere",
                                "sasl.jaas.config", "..."));
        assertThat(config).isEqualTo(RegistryConfig.of(URL, Map.of()));
    }

    @Test
    void showsUrlsAndNamesButNoSecret() {
        RegistryConfig config =
                RegistryConfig.of(
                        "http://me:s3cret@a:1",
                        Map.of(
                                "basic.auth.credentials.source", "USER_INFO",
                                "basic.auth.user.info", "me:s3cret",
                                "request.header.X-Key", "s3cret"));
        assertThat(config.toString())
                .isEqualTo(
                        "RegistryConfig{urls=[http://a:1], credentials=USER_INFO, properties="
                                + "[basic.auth.credentials.source, basic.auth.user.info,"
                                + " request.header.X-Key]}");
    }

    @Test
    void planningAsksBriefly() {
        RegistryConfig config = RegistryConfig.of("http://r:1", Map.of("max.retries", "9"));
        RegistryConfig brief = config.forPlanning();
        assertThat(brief.retryPolicy().retries()).isZero();
        assertThat(brief.attemptTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(brief.connectTimeout()).isEqualTo(Duration.ofSeconds(5));
        assertThat(config.attemptTimeout()).isEqualTo(Duration.ofSeconds(60));
        Map<String, String> hasty = Map.of("http.read.timeout.ms", "7");
        assertThat(RegistryConfig.of("http://r:1", hasty).forPlanning().attemptTimeout())
                .isEqualTo(Duration.ofMillis(7));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "username=\"me\" password=\"h\\\"ü;sh\";",
                "password='h\\\"ü;sh' x=y username=me ;",
            })
    void credentialsOfKafkaAreInherited(String options) {
        String jaas = "org.example.PlainLoginModule required " + options;
        RegistryConfig config =
                RegistryConfig.of(
                        URL,
                        Map.of(
                                "basic.auth.credentials.source",
                                "SASL_INHERIT",
                                "sasl.jaas.config",
                                jaas));
        String sent = config.credentials().authorization(config.urlList().get(0));
        byte[] decoded = Base64.getDecoder().decode(sent.substring("Basic ".length()));
        assertThat(new String(decoded, StandardCharsets.UTF_8)).isEqualTo("me:h\"ü;sh");
        assertThat(config.toString()).doesNotContain("h\"");
    }

    /** C5: a bare name of TLS belongs to somebody else's TLS. */
    @Test
    void tlsIsReadWithThePrefixOnly() {
        assertThat(RegistryConfig.of(URL, Map.of("ssl.keystore.location", "/none")).tls()).isNull();
        assertThatThrownBy(
                        () ->
                                RegistryConfig.of(
                                                URL,
                                                Map.of(
                                                        "schema.registry.ssl.truststore.location",
                                                        "/none.jks"))
                                        .tls())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ssl.truststore.location' (/none.jks)")
                .hasMessageContaining("no such file");
    }
}
