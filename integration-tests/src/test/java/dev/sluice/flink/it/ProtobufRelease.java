package dev.sluice.flink.it;

import com.google.protobuf.Message;

import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** A protoc and the protobuf-java that its generated classes are made for. */
public final class ProtobufRelease {
    private final Path protoc;
    private final List<Path> runtime;

    private ProtobufRelease(Path protoc, List<Path> runtime) {
        this.protoc = protoc;
        this.runtime = runtime;
    }

    /** 4.32.1, the release of the tests' own class path. */
    public static ProtobufRelease current() {
        try {
            Path jar =
                    Path.of(
                            Message.class
                                    .getProtectionDomain()
                                    .getCodeSource()
                                    .getLocation()
                                    .toURI());
            return new ProtobufRelease(Path.of(System.getProperty("protoc")), List.of(jar));
        } catch (URISyntaxException e) {
            throw new IllegalStateException("protobuf-java is in no file", e);
        }
    }

    /** 3.21.7, with Flink's own format of the line 1.20, which needs it. */
    public static ProtobufRelease ofFlink1() {
        return new ProtobufRelease(
                Path.of(System.getProperty("protoc.old")), classPath("protobuf1.class.path"));
    }

    /** 4.32.1, with Flink's own format of the line 2.3. */
    public static ProtobufRelease ofFlink2() {
        return new ProtobufRelease(
                Path.of(System.getProperty("protoc")), classPath("protobuf2.class.path"));
    }

    /** The one that Flink's own format of the line under test works with. */
    public static ProtobufRelease ofThisLine() {
        return isFlink1() ? ofFlink1() : ofFlink2();
    }

    public static boolean isFlink1() {
        return "flink1".equals(System.getProperty("flink.line"));
    }

    private static List<Path> classPath(String property) {
        return Arrays.stream(System.getProperty(property).split(File.pathSeparator))
                .map(Path::of)
                .collect(Collectors.toList());
    }

    Path protoc() {
        return protoc;
    }

    /** The jars of protobuf-java and of what comes with it. */
    public List<Path> runtime() {
        return runtime;
    }
}
