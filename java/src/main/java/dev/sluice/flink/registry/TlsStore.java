package dev.sluice.flink.registry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.util.List;
import java.util.Locale;

/**
 * Key stores and trust stores: files of a type that Java knows (JKS, PKCS12), PEM files, and PEM
 * texts in the properties themselves. Blank passwords count as none.
 */
final class TlsStore {
    private static final String PEM = "PEM";
    private static final char[] NO_PASSWORD = {};

    private TlsStore() {}

    /** Our own key and its certificates; null if none are set. */
    static KeyStore keys(ClientProperties properties) {
        String location = properties.find("ssl.keystore.location");
        String key = properties.find("ssl.keystore.key");
        if (location == null && key == null) {
            return null;
        }
        String password = properties.find("ssl.keystore.password");
        if (key != null) {
            String chain = properties.find("ssl.keystore.certificate.chain");
            if (chain == null) {
                throw new IllegalArgumentException(
                        "registry property 'ssl.keystore.key' needs"
                                + " 'ssl.keystore.certificate.chain'");
            }
            return load(
                    "ssl.keystore.key",
                    "",
                    () -> pemKeys(key, chain, properties.find("ssl.key.password")));
        }
        String type = type(properties, "ssl.keystore.type");
        if (type.equals(PEM)) {
            return load(
                    "ssl.keystore.location",
                    location,
                    () -> {
                        String text = new String(read(location), StandardCharsets.UTF_8);
                        return pemKeys(text, text, properties.find("ssl.key.password"));
                    });
        }
        if (password == null) {
            throw new IllegalArgumentException(
                    "registry property 'ssl.keystore.location' needs 'ssl.keystore.password'");
        }
        return load(
                "ssl.keystore.location",
                location,
                () -> store(type, read(location), password.toCharArray()));
    }

    /** The certificates to trust; null for those that the JVM trusts. */
    static KeyStore trusted(ClientProperties properties) {
        String location = properties.find("ssl.truststore.location");
        String certificates = properties.find("ssl.truststore.certificates");
        if (certificates != null) {
            return load("ssl.truststore.certificates", "", () -> pemCertificates(certificates));
        }
        if (location == null) {
            return null;
        }
        String type = type(properties, "ssl.truststore.type");
        String password = properties.find("ssl.truststore.password");
        return load(
                "ssl.truststore.location",
                location,
                () ->
                        type.equals(PEM)
                                ? pemCertificates(
                                        new String(read(location), StandardCharsets.UTF_8))
                                : store(
                                        type,
                                        read(location),
                                        password == null ? null : password.toCharArray()));
    }

    /** The password of the key inside {@link #keys}. */
    static char[] keyPassword(ClientProperties properties) {
        boolean isPem =
                properties.find("ssl.keystore.key") != null
                        || type(properties, "ssl.keystore.type").equals(PEM);
        if (isPem) {
            return NO_PASSWORD; // it is decrypted already
        }
        String ofKey = properties.find("ssl.key.password");
        String ofStore = properties.find("ssl.keystore.password");
        String password = ofKey == null ? ofStore : ofKey;
        return password == null ? NO_PASSWORD : password.toCharArray();
    }

    private static String type(ClientProperties properties, String name) {
        String type = properties.find(name);
        return type == null ? "JKS" : type.trim().toUpperCase(Locale.ROOT);
    }

    private static KeyStore load(String property, String location, Tls.Reading reading) {
        try {
            return reading.read();
        } catch (IOException | GeneralSecurityException e) {
            String where = location.isEmpty() ? "" : " (" + location + ")";
            throw new IllegalArgumentException(
                    String.format(
                            "registry property '%s'%s cannot be read: %s",
                            property, where, reason(e)),
                    e);
        }
    }

    private static String reason(Exception e) {
        return e instanceof java.nio.file.NoSuchFileException
                ? "there is no such file"
                : String.valueOf(e.getMessage());
    }

    private static byte[] read(String location) throws IOException {
        boolean isUri = location.startsWith("file:");
        return Files.readAllBytes(isUri ? Path.of(URI.create(location)) : Path.of(location));
    }

    private static KeyStore store(String type, byte[] bytes, char[] password)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(type);
        store.load(new ByteArrayInputStream(bytes), password);
        return store;
    }

    private static KeyStore pemKeys(String key, String chain, String password)
            throws IOException, GeneralSecurityException {
        PrivateKey secret = PemText.privateKey(key, password);
        List<Certificate> certificates = PemText.certificates(chain);
        KeyStore store = empty();
        store.setKeyEntry("key", secret, NO_PASSWORD, certificates.toArray(new Certificate[0]));
        return store;
    }

    private static KeyStore pemCertificates(String text)
            throws IOException, GeneralSecurityException {
        KeyStore store = empty();
        int at = 0;
        for (Certificate certificate : PemText.certificates(text)) {
            store.setCertificateEntry("certificate" + at++, certificate);
        }
        return store;
    }

    private static KeyStore empty() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }
}
