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
                    + "MIHsMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAgHI1JJH/SyIQICCAAw\n"
                    + "DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEGGuq5/sIHlMTkALR914myUEgZCp\n"
                    + "pNlIMXu66pP5ogsO1uH87xouhzJP1b2M/8jBd3mRjYSHrdu+zoapBFK+BDwHh6Xe\n"
                    + "kt+D/H15psyKPKI2i6/yuqhMdWxMGQgxkgCRCNRuEsavnptwZbplJQVxu282QGTT\n"
                    + "mapchoYwovxKnE5tYmHFwkC1Z5YYuk4QsOHrGIDFLX+9W5LtAyHFi2roccIQUro=\n"
                    + "-----END ENCRYPTED PRIVATE KEY-----\n";

    @Test
    void aKeyIsReadAndDecrypted() throws Exception {
        assertThat(PemText.privateKey(ENCRYPTED, "wonder-key"))
                .isEqualTo(PemText.privateKey("Bag Attributes\n" + KEY, null));
        assertThat(PemText.privateKey(KEY, null).getAlgorithm()).isEqualTo("EC");
    }

    @Test
    void whatCannotBeReadIsSaidWithoutThePassword() {
        assertThatThrownBy(() -> PemText.privateKey(ENCRYPTED, null))
                .hasMessageContaining("'ssl.key.password'");
        assertThatThrownBy(() -> PemText.privateKey(ENCRYPTED, "wonder-wrong"))
                .hasMessageNotContaining("wonder");
        assertThatThrownBy(() -> PemText.privateKey("no key", null))
                .hasMessageContaining("no private key");
        assertThatThrownBy(() -> PemText.certificates(KEY)).hasMessageContaining("no certificate");
    }
}
