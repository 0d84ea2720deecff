package dev.sluice.flink.registry;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.Key;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.KeySpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** Certificates and PKCS#8 keys in PEM; anything else in the text is passed over. */
final class PemText {
    private static final Pattern CERTIFICATE = block("CERTIFICATE");
    private static final Pattern KEY = block("PRIVATE KEY");
    private static final Pattern ENCRYPTED_KEY = block("ENCRYPTED PRIVATE KEY");
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "DSA");

    private PemText() {}

    private static Pattern block(String label) {
        return Pattern.compile("-----BEGIN " + label + "-----([^-]*)-----END " + label + "-----");
    }

    /** All certificates, in the order of the text. */
    static List<Certificate> certificates(String text)
            throws IOException, GeneralSecurityException {
        CertificateFactory factory = CertificateFactory.getInstance("X.509");
        List<Certificate> certificates = new ArrayList<>();
        Matcher block = CERTIFICATE.matcher(text);
        while (block.find()) {
            byte[] bytes = octets(block.group(1));
            certificates.add(factory.generateCertificate(new ByteArrayInputStream(bytes)));
        }
        if (certificates.isEmpty()) {
            throw new IOException("it holds no certificate in PEM");
        }
        return certificates;
    }

    /**
     * The first private key.
     *
     * @param password of an encrypted key; null if it is not
     */
    static PrivateKey privateKey(String text, String password)
            throws IOException, GeneralSecurityException {
        Matcher plain = KEY.matcher(text);
        if (plain.find()) {
            return key(new PKCS8EncodedKeySpec(octets(plain.group(1))));
        }
        Matcher encrypted = ENCRYPTED_KEY.matcher(text);
        if (!encrypted.find()) {
            throw new IOException("it holds no private key in PEM (PKCS#8)");
        }
        if (password == null) {
            throw new IOException("its key is encrypted: 'ssl.key.password' is needed");
        }
        return key(decrypted(octets(encrypted.group(1)), password));
    }

    private static KeySpec decrypted(byte[] bytes, String password)
            throws IOException, GeneralSecurityException {
        EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(bytes);
        // Of PBES2 the parameters name the algorithm, otherwise the key itself does.
        String named = info.getAlgName();
        String algorithm =
                named.equals("PBES2") || named.equals("1.2.840.113549.1.5.13")
                        ? info.getAlgParameters().toString()
                        : named;
        Key key =
                SecretKeyFactory.getInstance(algorithm)
                        .generateSecret(new PBEKeySpec(password.toCharArray()));
        Cipher cipher = Cipher.getInstance(algorithm);
        try {
            cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
            return info.getKeySpec(cipher);
        } catch (InvalidKeyException | InvalidKeySpecException e) {
            throw new GeneralSecurityException(
                    "its key cannot be decrypted with 'ssl.key.password'", e);
        }
    }

    private static PrivateKey key(KeySpec spec) throws GeneralSecurityException {
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(spec);
            } catch (InvalidKeySpecException e) {
                // a key of another algorithm
            }
        }
        throw new InvalidKeySpecException("its key is of none of " + ALGORITHMS);
    }

    private static byte[] octets(String base64) throws IOException {
        try {
            return Base64.getMimeDecoder()
                    .decode(base64.trim().getBytes(StandardCharsets.US_ASCII));
        } catch (IllegalArgumentException e) {
            throw new IOException("it is no PEM", e);
        }
    }
}
