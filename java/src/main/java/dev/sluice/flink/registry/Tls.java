package dev.sluice.flink.registry;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;
import java.util.ArrayList;
import java.util.List;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * TLS as the user's {@code schema.registry.ssl.*} properties describe it (C13): whose certificates
 * are trusted, who we are, and whether host names are checked.
 *
 * <p>Files are read where the connection is made, not where the job is planned: they are those of
 * the machine that runs the task. Errors name property and file, never a password.
 */
final class Tls {
    private static final String PROTOCOLS = "ssl.enabled.protocols";
    private static final String SUITES = "ssl.cipher.suites";
    private static final String HOST_CHECK = "ssl.endpoint.identification.algorithm";

    private final ClientProperties properties;

    private Tls(ClientProperties properties) {
        this.properties = properties;
    }

    /**
     * The context for connections; null if nothing is set, so that the JVM's own counts.
     *
     * @throws IllegalArgumentException if a store cannot be loaded
     */
    static SSLContext context(ClientProperties properties) {
        return properties.hasAny("ssl.") ? new Tls(properties).context() : null;
    }

    private SSLContext context() {
        try {
            SSLContext context = ofProtocol();
            context.init(keyManagers(), trustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw refusal(e);
        }
    }

    private SSLContext ofProtocol() throws GeneralSecurityException {
        String protocol =
                find(
                        "ssl.protocol",
                        PropertyNames.defaultOf(PropertyNames.PREFIX + "ssl.protocol"));
        Provider provider = provider();
        return provider == null
                ? SSLContext.getInstance(protocol)
                : SSLContext.getInstance(protocol, provider);
    }

    private static IllegalArgumentException refusal(GeneralSecurityException e) {
        return new IllegalArgumentException(
                "registry properties 'ssl.*' cannot be honoured: " + e.getMessage(), e);
    }

    /**
     * The versions and cipher suites that connections may have; null if nothing is set, so that
     * those of the context count. Reads no file.
     *
     * @throws IllegalArgumentException naming one that the JVM does not know
     */
    static SSLParameters parameters(ClientProperties properties) {
        boolean isSet = properties.find(PROTOCOLS) != null || properties.find(SUITES) != null;
        return isSet ? new Tls(properties).parameters() : null;
    }

    private SSLParameters parameters() {
        try {
            SSLContext context = ofProtocol();
            context.init(null, null, null);
            SSLParameters parameters = context.getDefaultSSLParameters();
            SSLParameters supported = context.getSupportedSSLParameters();
            if (properties.find(PROTOCOLS) != null) {
                parameters.setProtocols(known(PROTOCOLS, supported.getProtocols()));
            }
            if (properties.find(SUITES) != null) {
                parameters.setCipherSuites(known(SUITES, supported.getCipherSuites()));
            }
            return parameters;
        } catch (GeneralSecurityException e) {
            throw refusal(e);
        }
    }

    private String[] known(String property, String[] supported) {
        List<String> names = properties.list(property);
        List<String> unknown = new ArrayList<>(names);
        unknown.removeAll(List.of(supported));
        if (names.isEmpty() || !unknown.isEmpty()) {
            throw new IllegalArgumentException(
                    String.format(
                            "registry property '%s' names what this JVM does not know: %s; known"
                                    + " are %s",
                            property, unknown, List.of(supported)));
        }
        return names.toArray(new String[0]);
    }

    /** Whether a certificate is shown to whoever asks for one. */
    static boolean showsCertificate(ClientProperties properties) {
        return properties.find("ssl.keystore.location") != null
                || properties.find("ssl.keystore.key") != null;
    }

    private Provider provider() {
        String name = properties.find("ssl.provider");
        Provider provider = name == null ? null : Security.getProvider(name);
        if (name != null && provider == null) {
            throw new IllegalArgumentException(
                    "registry property 'ssl.provider' names an unknown provider: " + name);
        }
        return provider;
    }

    private KeyManager[] keyManagers() throws GeneralSecurityException {
        KeyStore keys = TlsStore.keys(properties);
        if (keys == null) {
            return null;
        }
        KeyManagerFactory factory =
                KeyManagerFactory.getInstance(
                        find("ssl.keymanager.algorithm", KeyManagerFactory.getDefaultAlgorithm()));
        factory.init(keys, TlsStore.keyPassword(properties));
        return factory.getKeyManagers();
    }

    private TrustManager[] trustManagers() throws GeneralSecurityException {
        KeyStore trusted = TlsStore.trusted(properties);
        boolean checksHosts = checksHosts();
        if (trusted == null && checksHosts) {
            return null;
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(
                        find(
                                "ssl.trustmanager.algorithm",
                                TrustManagerFactory.getDefaultAlgorithm()));
        factory.init(trusted);
        TrustManager[] managers = factory.getTrustManagers();
        for (int at = 0; at < managers.length && !checksHosts; at++) {
            if (managers[at] instanceof X509TrustManager) {
                managers[at] = new AnyHostTrustManager((X509TrustManager) managers[at]);
            }
        }
        return managers;
    }

    /** On unless switched off in so many words: unset means on, unlike in Confluent's client. */
    private boolean checksHosts() {
        String algorithm = properties.findEvenBlank(HOST_CHECK);
        return algorithm == null
                || !algorithm.isBlank() && !algorithm.trim().equalsIgnoreCase("none");
    }

    private String find(String name, String fallback) {
        String value = properties.find(name);
        return value == null ? fallback : value.trim();
    }

    /** What a store is read from. */
    interface Reading {
        KeyStore read() throws IOException, GeneralSecurityException;
    }
}
