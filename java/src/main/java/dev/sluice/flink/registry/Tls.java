package dev.sluice.flink.registry;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Provider;
import java.security.Security;

import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
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
            String protocol = find("ssl.protocol", "TLS");
            Provider provider = provider();
            SSLContext context =
                    provider == null
                            ? SSLContext.getInstance(protocol)
                            : SSLContext.getInstance(protocol, provider);
            context.init(keyManagers(), trustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalArgumentException(
                    "registry properties 'ssl.*' cannot be honoured: " + e.getMessage(), e);
        }
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
