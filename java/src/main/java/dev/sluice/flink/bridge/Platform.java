package dev.sluice.flink.bridge;

import java.util.Locale;
import java.util.Objects;

/**
 * The machine as the library's folder names it: operating system, processor, C library. Pure, so
 * that one machine can test them all.
 */
final class Platform {
    private final String os;
    private final String arch;
    private final String libc;

    private Platform(String os, String arch, String libc) {
        this.os = os;
        this.arch = arch;
        this.libc = libc;
    }

    /**
     * @param osName the system property {@code os.name}
     * @param osArch the system property {@code os.arch}
     * @param memoryMap Linux: the text of {@code /proc/self/maps}; elsewhere empty
     */
    static Platform of(String osName, String osArch, String memoryMap) {
        String os = osOf(osName.toLowerCase(Locale.ROOT));
        return new Platform(os, archOf(osArch.toLowerCase(Locale.ROOT)), libcOf(os, memoryMap));
    }

    private static String osOf(String name) {
        if (name.startsWith("linux")) {
            return "linux";
        }
        if (name.startsWith("mac") || name.startsWith("darwin")) {
            return "osx";
        }
        if (name.startsWith("windows")) {
            return "windows";
        }
        return name.replaceAll("[^a-z0-9]", "");
    }

    private static String archOf(String name) {
        switch (name) {
            case "amd64":
            case "x86_64":
            case "x86-64":
                return "x86_64";
            case "aarch64":
            case "arm64":
                return "aarch64";
            default:
                return name.replaceAll("[^a-z0-9_]", "");
        }
    }

    /** What this process has mapped decides: a glibc host may have musl installed as well. */
    private static String libcOf(String os, String memoryMap) {
        if (!os.equals("linux")) {
            return "";
        }
        return memoryMap.contains("/ld-musl-") || memoryMap.contains("/libc.musl-")
                ? "musl"
                : "glibc";
    }

    /** The folder in the jar, {@code native/linux-x86_64} or {@code native/linux-x86_64-musl}. */
    String folder() {
        return "native/" + os + "-" + arch + (libc.equals("musl") ? "-musl" : "");
    }

    /** The library's file name. */
    String fileName() {
        switch (os) {
            case "osx":
                return "libsluice_bridge.dylib";
            case "windows":
                return "sluice_bridge.dll";
            default:
                return "libsluice_bridge.so";
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Platform && toString().equals(other.toString());
    }

    @Override
    public int hashCode() {
        return Objects.hash(os, arch, libc);
    }

    /** {@code os linux, arch x86_64, libc glibc}. */
    @Override
    public String toString() {
        return "os " + os + ", arch " + arch + (libc.isEmpty() ? "" : ", libc " + libc);
    }
}
