package dev.sluice.flink.testregistry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Keys, certificates and the stores that hold them, made by the JDK's own keytool. */
public final class KeyStores {
    public static final String PASSWORD = Secret.WORD + "-store";

    private final Path folder;

    public KeyStores(Path folder) {
        this.folder = folder;
    }

    /** A PKCS12 store with one self-signed key for this subject alternative name. */
    public Path key(String name, String host, String... more) throws Exception {
        Path store = folder.resolve(name + ".p12");
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "-genkeypair",
                                "-alias",
                                name,
                                "-keyalg",
                                name.startsWith("ec") ? "EC" : "RSA",
                                "-dname",
                                "CN=" + name,
                                "-ext",
                                "san=" + host,
                                "-storetype",
                                "PKCS12",
                                "-keystore",
                                store.toString(),
                                "-storepass",
                                PASSWORD));
        command.addAll(Arrays.asList(more));
        keytool(command);
        return store;
    }

    /** Has the certificate of {@code key} signed by {@code authority}, with these options. */
    public void sign(Path key, Path authority, String... options) throws Exception {
        Path request = folder.resolve(key.getFileName() + ".csr");
        Path signed = folder.resolve(key.getFileName() + ".crt");
        keytool(of(key, "-certreq", "-file", request.toString()));
        List<String> command =
                new ArrayList<>(
                        of(
                                authority,
                                "-gencert",
                                "-infile",
                                request.toString(),
                                "-outfile",
                                signed.toString(),
                                "-ext",
                                "honored=all"));
        command.addAll(Arrays.asList(options));
        keytool(command);
        KeyStore store = load(key);
        String alias = store.aliases().nextElement();
        Certificate leaf;
        try (var in = Files.newInputStream(signed)) {
            leaf = CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
        store.setKeyEntry(
                alias,
                store.getKey(alias, PASSWORD.toCharArray()),
                PASSWORD.toCharArray(),
                new Certificate[] {leaf, certificate(authority)});
        try (var out = Files.newOutputStream(key)) {
            store.store(out, PASSWORD.toCharArray());
        }
    }

    private static List<String> of(Path store, String... command) throws Exception {
        List<String> all = new ArrayList<>(Arrays.asList(command));
        all.addAll(
                List.of(
                        "-alias", load(store).aliases().nextElement(),
                        "-keystore", store.toString(),
                        "-storepass", PASSWORD));
        return all;
    }

    /** A trust store of another type with the certificate of {@code key}. */
    public Path trust(Path key, String type) throws Exception {
        Path store = folder.resolve(key.getFileName() + ".trust." + type.toLowerCase());
        if (type.equals("PEM")) {
            Files.writeString(store, certificatePem(key));
            return store;
        }
        KeyStore trusted = KeyStore.getInstance(type);
        trusted.load(null, null);
        trusted.setCertificateEntry("server", certificate(key));
        try (var out = Files.newOutputStream(store)) {
            trusted.store(out, PASSWORD.toCharArray());
        }
        return store;
    }

    public static String certificatePem(Path key) throws Exception {
        return pem("CERTIFICATE", certificate(key).getEncoded());
    }

    public static String keyPem(Path key) throws Exception {
        KeyStore store = load(key);
        PrivateKey secret =
                (PrivateKey) store.getKey(store.aliases().nextElement(), PASSWORD.toCharArray());
        return pem("PRIVATE KEY", secret.getEncoded());
    }

    public static String pem(String label, byte[] bytes) {
        String base64 = Base64.getMimeEncoder().encodeToString(bytes);
        return "-----BEGIN " + label + "-----\n" + base64 + "\n-----END " + label + "-----\n";
    }

    static Certificate certificate(Path key) throws Exception {
        KeyStore store = load(key);
        return store.getCertificate(store.aliases().nextElement());
    }

    static KeyStore load(Path store) throws Exception {
        KeyStore loaded = KeyStore.getInstance("PKCS12");
        loaded.load(new ByteArrayInputStream(Files.readAllBytes(store)), PASSWORD.toCharArray());
        return loaded;
    }

    /**
     * TLS of a server.
     *
     * @param client whose certificate is trusted, or null
     */
    public static SSLContext server(Path key, Path client) throws Exception {
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(load(key), PASSWORD.toCharArray());
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        trusted.load(null, null);
        if (client != null) {
            trusted.setCertificateEntry("client", certificate(client));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), client == null ? null : trust.getTrustManagers(), null);
        return context;
    }

    private static void keytool(List<String> arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(arguments);
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes());
        if (process.waitFor() != 0) {
            throw new IOException(said);
        }
    }
}
