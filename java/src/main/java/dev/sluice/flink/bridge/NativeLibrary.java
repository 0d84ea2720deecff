package dev.sluice.flink.bridge;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.StandardCopyOption;

/**
 * Loads the native library, once per class loader, on first use.
 *
 * <ol>
 *   <li>The library is a resource of this jar, {@code native/<os>-<arch>[-musl]/}. It is copied to
 *       a file of a unique name in {@code java.io.tmpdir}, since the JVM refuses to load one file
 *       into two class loaders, and the file is deleted right after (where the system locks loaded
 *       files, when the JVM ends).
 *   <li>Only if the system property {@value #PATH_PROPERTY} is set, another library is taken: the
 *       file it names, or with the value {@code system} the one on {@code java.library.path}.
 *   <li>The ABI number must be ours, then the build id must be the one of the library in this jar.
 *       A library of another build is refused before anything else is called.
 * </ol>
 *
 * A failure is remembered and told again, with its cause, on every later use.
 */
public final class NativeLibrary {
    /** See the class comment. */
    public static final String PATH_PROPERTY = "dev.sluice.flink.library.path";

    /** Entries and their meaning; {@code abi.rs} has the same number. */
    private static final int ABI_VERSION = 3;

    private static final String SYSTEM = "system";
    private static final String NAME = "sluice_bridge";
    private static final Path MEMORY_MAP = Paths.get("/proc/self/maps");
    private static final Logger LOG = LoggerFactory.getLogger(NativeLibrary.class);

    /** Initialised by the first {@link #require}: the JVM's own once-only lock. */
    private static final class Loaded {
        static final Platform PLATFORM = platform();
        static final String ORIGIN;
        static final Throwable FAILURE;

        static {
            String origin = null;
            Throwable failure = null;
            try {
                origin = load(PLATFORM);
            } catch (IOException | LinkageError | RuntimeException e) {
                failure = e;
            }
            ORIGIN = origin;
            FAILURE = failure;
        }
    }

    private NativeLibrary() {}

    /**
     * Loads the library if that has not happened yet.
     *
     * @throws NativeUnavailableException if it cannot be used; the same cause every time
     */
    public static void require() {
        if (Loaded.FAILURE != null) {
            throw new NativeUnavailableException(
                    "the native library is not usable here ("
                            + Loaded.PLATFORM
                            + "): "
                            + Loaded.FAILURE.getMessage(),
                    Loaded.FAILURE);
        }
    }

    /** Where the library came from and its build, for one line in a log. */
    public static String description() {
        require();
        return Loaded.ORIGIN + ", build " + buildId() + ", " + Loaded.PLATFORM;
    }

    private static Platform platform() {
        String memoryMap = "";
        try {
            memoryMap = Files.readString(MEMORY_MAP, StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException e) {
            LOG.debug("no {}: not Linux", MEMORY_MAP);
        } catch (IOException e) {
            LOG.info("{} cannot be read, taking the C library for glibc", MEMORY_MAP, e);
        }
        return Platform.of(System.getProperty("os.name"), System.getProperty("os.arch"), memoryMap);
    }

    private static String load(Platform platform) throws IOException {
        String path = System.getProperty(PATH_PROPERTY);
        String origin;
        if (path == null) {
            origin = loadFromJar(platform);
        } else if (path.equals(SYSTEM)) {
            System.loadLibrary(NAME);
            origin = "java.library.path";
        } else {
            System.load(Paths.get(path).toAbsolutePath().toString());
            origin = path;
        }
        requireSameBuild(platform, origin);
        return origin;
    }

    private static String loadFromJar(Platform platform) throws IOException {
        String resource = platform.folder() + "/" + platform.fileName();
        Path copy = Files.createTempFile("sluice-bridge-", "-" + platform.fileName());
        try {
            try (InputStream library = open(resource)) {
                Files.copy(library, copy, StandardCopyOption.REPLACE_EXISTING);
            }
            System.load(copy.toAbsolutePath().toString());
        } catch (UnsatisfiedLinkError e) {
            throw (UnsatisfiedLinkError)
                    new UnsatisfiedLinkError(
                                    e.getMessage()
                                            + " (a copy in java.io.tmpdir: does that folder allow"
                                            + " execution?)")
                            .initCause(e);
        } finally {
            delete(copy);
        }
        return resource + " of the jar";
    }

    private static InputStream open(String resource) throws IOException {
        InputStream stream = NativeLibrary.class.getResourceAsStream("/" + resource);
        if (stream == null) {
            throw new NoSuchFileException(
                    resource, null, "this jar has no library for the platform");
        }
        return stream;
    }

    private static void delete(Path copy) {
        try {
            Files.deleteIfExists(copy);
        } catch (IOException e) {
            // Windows locks a loaded library.
            LOG.debug("{} is deleted when the JVM ends", copy, e);
            copy.toFile().deleteOnExit();
        }
    }

    private static void requireSameBuild(Platform platform, String origin) throws IOException {
        int abi = abiVersion();
        if (abi != ABI_VERSION) {
            throw new UnsatisfiedLinkError(
                    "ABI number " + abi + " instead of " + ABI_VERSION + " in " + origin);
        }
        String expected;
        try (InputStream stream = open(platform.folder() + "/build-id")) {
            expected = new String(stream.readAllBytes(), StandardCharsets.US_ASCII).trim();
        }
        String found = buildId();
        if (!found.equals(expected)) {
            throw new UnsatisfiedLinkError(
                    "build " + found + " instead of " + expected + " in " + origin);
        }
    }

    /** The number of each failure code and its text, one a line, as native code has them. */
    static native String failureCodes();

    /** Decoders that are open in this copy of the library, and programs that are alive. */
    static native long liveDecoders();

    static native long livePrograms();

    private static native int abiVersion();

    private static native String buildId();
}
