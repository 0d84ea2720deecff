package dev.sluice.flink.it;

import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Flink's own {@code protobuf} format of the Flink line under test with generated classes, and the
 * protobuf-java that both need: the tests' own class path has another one.
 */
public final class FlinkProtobuf extends URLClassLoader {
    public static final String PACKAGE = "org.apache.flink.formats.protobuf.";

    /**
     * @param generated the jar with the messages' classes
     */
    public FlinkProtobuf(Path generated) {
        super(urls(generated), FlinkProtobuf.class.getClassLoader());
    }

    private static URL[] urls(Path generated) {
        List<URL> urls = new ArrayList<>();
        try {
            urls.add(generated.toUri().toURL());
            for (Path jar : ProtobufRelease.ofThisLine().runtime()) {
                urls.add(jar.toUri().toURL());
            }
        } catch (MalformedURLException e) {
            throw new IllegalStateException(e);
        }
        return urls.toArray(new URL[0]);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (!name.startsWith("com.google.protobuf.") && !name.startsWith(PACKAGE)) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded != null ? loaded : findClass(name);
        }
    }
}
