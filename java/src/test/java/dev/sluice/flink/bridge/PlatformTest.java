package dev.sluice.flink.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    private static final String GLIBC = "7f12 r-xp /usr/lib/x86_64-linux-gnu/libc.so.6";
    private static final String MUSL = "7f12 r-xp /lib/ld-musl-x86_64.so.1";

    @ParameterizedTest
    @CsvSource({
        "Linux, amd64, native/linux-x86_64, libsluice_bridge.so",
        "Linux, x86_64, native/linux-x86_64, libsluice_bridge.so",
        "Linux, aarch64, native/linux-aarch64, libsluice_bridge.so",
        "Linux, riscv64, native/linux-riscv64, libsluice_bridge.so",
        "Mac OS X, aarch64, native/osx-aarch64, libsluice_bridge.dylib",
        "Mac OS X, x86_64, native/osx-x86_64, libsluice_bridge.dylib",
        "Darwin, arm64, native/osx-aarch64, libsluice_bridge.dylib",
        "Windows Server 2022, amd64, native/windows-x86_64, sluice_bridge.dll",
        "FreeBSD, amd64, native/freebsd-x86_64, libsluice_bridge.so",
    })
    void namesFolderAndFileOf(String osName, String osArch, String folder, String file) {
        Platform platform = Platform.of(osName, osArch, "");
        assertThat(platform.folder()).isEqualTo(folder);
        assertThat(platform.fileName()).isEqualTo(file);
    }

    @Test
    void muslIsWhatTheProcessHasMapped() {
        Platform musl = Platform.of("Linux", "amd64", MUSL);
        assertThat(musl.folder()).isEqualTo("native/linux-x86_64-musl");
        assertThat(musl).hasToString("os linux, arch x86_64, libc musl");
        assertThat(Platform.of("Linux", "amd64", GLIBC))
                .hasToString("os linux, arch x86_64, libc glibc");
    }

    @Test
    void thePropertyOfThisMachineLeadsToAFolderOfTheJar() {
        Platform here =
                Platform.of(System.getProperty("os.name"), System.getProperty("os.arch"), GLIBC);
        String resource = "/" + here.folder() + "/" + here.fileName();
        assertThat(getClass().getResource(resource)).as(resource).isNotNull();
    }
}
