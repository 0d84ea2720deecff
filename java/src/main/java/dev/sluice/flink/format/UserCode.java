package dev.sluice.flink.format;

import dev.sluice.flink.engine.EngineResource;
import dev.sluice.flink.engine.LiveHandles;

import org.apache.flink.util.UserCodeClassLoader;

import java.util.function.Supplier;

/** The class loader of a job's user code, at whose end a format's engines are closed. */
public final class UserCode {

    /** Closes the resource when the class loader is released, if there is one that is. */
    public static void closeOnRelease(
            EngineResource resource, Supplier<UserCodeClassLoader> userCode) {
        UserCodeClassLoader found;
        try {
            found = userCode.get();
        } catch (ClassCastException e) {
            // The filesystem connector hands out a plain class loader under a wrong type.
            return;
        }
        // The system class loader is never released, and jobs share it.
        if (found != null && found.asClassLoader() != ClassLoader.getSystemClassLoader()) {
            LiveHandles.closeOnRelease(
                    resource, found.asClassLoader(), found::registerReleaseHookIfAbsent);
        }
    }

    private UserCode() {}
}
