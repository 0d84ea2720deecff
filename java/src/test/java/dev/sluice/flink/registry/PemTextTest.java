package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Keys as openssl writes them: PKCS#8, plain and encrypted by PBES2. */
class PemTextTest {
    private static final String KEY =
            "-----BEGIN PRIVATE KEY-----\n"
                    + "MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgpStG+NMXQ010fNg4\n"
                    + "EyKLyVUlXJ5TvqIVxWlwjyNxkeOhRANCAAT/oq02/9GLXxIkLpQHxLx/u91aAq6i\n"
                    + "aD/7CdhewEEa4AR9U7VUgpf9RhRXS6+dtxyH3WwKcZ3K+MK8z9sPkNQg\n"
                    + "-----END PRIVATE KEY-----\n";
    private static final String ENCRYPTED =
            "-----BEGIN ENCRYPTED PRIVATE KEY-----\n"
                    + "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAjHQ/DSUkoarAICCAAw\n"
                    + "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEECjjt5P4t74BWyV6vFltzLkEgZCZ\n"
                    + "eWO1Nty5Wh2VTIeoHqieJRbW/MOx9P4AFnvFQoWV5eamP4b6CjsCkJOPEaU4vaQV\n"
                    + "DgQHB+FBuAuPLRXgJ0T6Sz+KbycZ4CVNuOQOSUN5w14umQevovHY0AYveTqlfC+Q\n"
                    + "ZpyLj5XksQdNsTqr92n1ciKdB4qIlvfOO97AAfX3A7eAK0dRxS1peyROmI7hGw8=\n"
                    + "-----END ENCRYPTED PRIVATE KEY-----\n";

    @Test
    void aKeyIsReadAndDecrypted() throws Exception {
        assertThat(PemText.privateKey(ENCRYPTED, "s3cret-key"))
                .isEqualTo(PemText.privateKey("Bag Attributes\n" + KEY, null));
        assertThat(PemText.privateKey(KEY, null).getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void whatCannotBeReadIsSaidWithoutThePassword() {
        assertThatThrownBy(() -> PemText.privateKey(ENCRYPTED, null))
                .hasMessageContaining("'ssl.key.password'");
        assertThatThrownBy(() -> PemText.privateKey(ENCRYPTED, "s3cret-wrong"))
                .hasMessageNotContaining("s3cret");
        assertThatThrownBy(() -> PemText.privateKey("no key", null))
                .hasMessageContaining("no private key");
        assertThatThrownBy(() -> PemText.certificates(KEY)).hasMessageContaining("no certificate");
    }
}
