package dev.sluice.flink.engine;

import java.util.Collections;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The open decoders and encoders of one user class loader. A format has no {@code close}: they are
 * closed when the class loader of the job is released, or when they are garbage collected,
 * whichever comes first.
 *
 * <p>Held weakly on both sides: neither of them nor a class loader is kept alive by this, and the
 * hook, which lives as long as the class loader, holds only the set.
 */
public final class LiveHandles {
    /** Hooks of one name collapse into one. */
    public static final String HOOK_NAME = "dev.sluice.flink: close decoders and encoders";

    private static final Map<ClassLoader, LiveHandles> BY_LOADER = new WeakHashMap<>();

    private final Set<EngineResource> resources =
            Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

    private LiveHandles() {}

    /**
     * Where a hook is registered; Flink's {@code UserCodeClassLoader} has a method of this shape.
     */
    @FunctionalInterface
    public interface ReleaseHooks {
        /** Runs the hook when the class loader is released, unless the name is taken already. */
        void registerReleaseHookIfAbsent(String name, Runnable hook);
    }

    /** Closes a decoder or encoder when the user class loader is released. */
    public static void closeOnRelease(
            EngineResource resource, ClassLoader userCode, ReleaseHooks hooks) {
        LiveHandles handles;
        synchronized (BY_LOADER) {
            handles = BY_LOADER.computeIfAbsent(userCode, loader -> new LiveHandles());
        }
        handles.resources.add(resource);
        hooks.registerReleaseHookIfAbsent(HOOK_NAME, handles::closeAll);
    }

    private void closeAll() {
        Owned open = new Owned();
        synchronized (resources) {
            resources.forEach(open::add);
            resources.clear();
        }
        open.close();
    }
}
