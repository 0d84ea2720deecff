package dev.sluice.flink.registry;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * As whom requests are sent: the {@code Authorization} header for each URL (C7 to C9), or where
 * tokens for it come from.
 *
 * <p>A source that is unknown or not built is refused, as are credentials without a source:
 * requests never go out unauthenticated although the user gave a password. Secrets live in private
 * fields and in the header only; {@link #toString()} names the source.
 */
final class Credentials {
    private enum Source {
        NONE,
        USER_INFO,
        URL,
        SASL_INHERIT,
        STATIC_TOKEN,
        OAUTHBEARER
    }

    private final Source source;
    private final String authorization; // the header if it is the same for all URLs, else null
    private final OAuthGrant grant; // of OAUTHBEARER, else null

    private Credentials(Source source, String authorization, OAuthGrant grant) {
        this.source = source;
        this.authorization = authorization;
        this.grant = grant;
    }

    private Credentials(Source source, String authorization) {
        this(source, authorization, null);
    }

    static Credentials of(ClientProperties properties) {
        String basic = properties.find("basic.auth.credentials.source");
        String bearer = properties.find("bearer.auth.credentials.source");
        if (basic != null && bearer != null) {
            throw new IllegalArgumentException(
                    "only one of 'basic.auth.credentials.source' and"
                            + " 'bearer.auth.credentials.source' may be set");
        }
        String userInfo = requireUsed(properties, "basic.auth.user.info", basic);
        String token = requireUsed(properties, "bearer.auth.token", bearer);
        requireUsed(properties, "bearer.auth.client.secret", bearer);
        if (basic != null) {
            return basic(basic.trim(), userInfo, properties.find("sasl.jaas.config"));
        }
        return bearer == null
                ? new Credentials(Source.NONE, null)
                : bearer(bearer.trim(), token, properties);
    }

    private static String requireUsed(ClientProperties properties, String name, String source) {
        String secret = properties.find(name);
        if (secret != null && source == null) {
            String kind = name.substring(0, name.indexOf('.'));
            throw new IllegalArgumentException(
                    "registry property '"
                            + name
                            + "' has no effect without '"
                            + kind
                            + ".auth.credentials.source'");
        }
        return secret;
    }

    private static Credentials basic(String source, String userInfo, String jaas) {
        switch (source) {
            case "USER_INFO":
                require(userInfo, "basic", "user.info", source);
                return new Credentials(Source.USER_INFO, basicHeader(userInfo));
            case "URL":
                return new Credentials(Source.URL, null);
            case "SASL_INHERIT":
                return new Credentials(Source.SASL_INHERIT, basicHeader(userInfoOf(jaas)));
            default:
                throw unknown("basic.auth.credentials.source", "USER_INFO, URL, SASL_INHERIT");
        }
    }

    private static Credentials bearer(String source, String token, ClientProperties properties) {
        switch (source) {
            case "STATIC_TOKEN":
                require(token, "bearer", "token", source);
                return new Credentials(Source.STATIC_TOKEN, "Bearer " + token.trim());
            case "OAUTHBEARER":
                return new Credentials(Source.OAUTHBEARER, null, OAuthGrant.of(properties));
            case "SASL_OAUTHBEARER_INHERIT":
            case "UAMI":
            case "CUSTOM":
                throw notBuilt("bearer.auth.credentials.source", source);
            default:
                throw unknown("bearer.auth.credentials.source", "STATIC_TOKEN, OAUTHBEARER");
        }
    }

    private static String userInfoOf(String jaas) {
        Optional<String> user = jaas == null ? Optional.empty() : JaasText.option(jaas, "username");
        Optional<String> password =
                jaas == null ? Optional.empty() : JaasText.option(jaas, "password");
        if (user.isEmpty() || password.isEmpty()) {
            throw new IllegalArgumentException(
                    "registry property 'basic.auth.credentials.source' = SASL_INHERIT needs"
                            + " username and password in 'sasl.jaas.config'");
        }
        return user.get() + ":" + password.get();
    }

    private static void require(String secret, String kind, String name, String source) {
        if (secret == null) {
            throw new IllegalArgumentException(
                    String.format(
                            "registry property '%1$s.auth.%2$s' is required by"
                                    + " '%1$s.auth.credentials.source' = %3$s",
                            kind, name, source));
        }
    }

    private static IllegalArgumentException notBuilt(String name, String source) {
        return new IllegalArgumentException(
                "registry property '" + name + "' = " + source + " is not supported yet");
    }

    /** Does not quote the value: people paste tokens into the wrong place. */
    private static IllegalArgumentException unknown(String name, String known) {
        return new IllegalArgumentException(
                "registry property '" + name + "' names an unknown source; known: " + known);
    }

    private static String basicHeader(String userInfo) {
        byte[] bytes = userInfo.getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(bytes);
    }

    /** The {@code Authorization} header for requests to {@code url}, or null for none. */
    String authorization(RegistryUrl url) {
        if (source == Source.URL) {
            return url.userInfo() == null ? null : basicHeader(url.userInfo());
        }
        return authorization;
    }

    /** What tokens are fetched with, or null if none are. */
    OAuthGrant grant() {
        return grant;
    }

    boolean isPresent() {
        return source != Source.NONE;
    }

    boolean readsUrl() {
        return source == Source.URL;
    }

    @Override
    public String toString() {
        return source.name();
    }
}
