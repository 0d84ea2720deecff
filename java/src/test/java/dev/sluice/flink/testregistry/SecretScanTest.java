package dev.sluice.flink.testregistry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;

class SecretScanTest {
    @Test
    void aSecretIsFoundPlainAndInBase64(@TempDir Path folder) throws Exception {
        Path log = folder.resolve("reports/a.log");
        Files.createDirectories(log.getParent());
        Files.write(folder.resolve("binary"), new byte[] {(byte) 0xff, (byte) 0xfe});
        StringBuilder text = new StringBuilder("quiet\nhttp://me:" + Secret.WORD + "-1@host\n");
        for (String user : new String[] {"a", "al", "ali", "alic"}) {
            byte[] userInfo = (user + ":" + Secret.WORD + "-1").getBytes(StandardCharsets.UTF_8);
            text.append("Basic ").append(Base64.getEncoder().encodeToString(userInfo)).append('\n');
        }
        Files.writeString(log, text.append("Basic YWxpY2U6cGFzc3dvcmQ=\n"));
        assertThat(SecretScan.leaks(folder))
                .containsExactly(log + ":2", log + ":3", log + ":4", log + ":5", log + ":6");
    }

    @Test
    void nothingToLookThroughIsNoSuccess(@TempDir Path folder) throws Exception {
        assertThatThrownBy(() -> SecretScan.leaks(folder)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> SecretScan.leaks(folder.resolve("none")))
                .isInstanceOf(IOException.class);
        Files.writeString(folder.resolve("a.log"), "quiet");
        assertThat(SecretScan.leaks(folder)).isEmpty();
    }
}
