package dev.sluice.flink.engine;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * What one owner has opened, to be closed with it: all of it, the last one first, whatever the
 * others throw. Closing twice is allowed, also from another thread.
 */
public final class Owned implements AutoCloseable {
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    /** Adds what was opened just now. */
    public synchronized <T extends AutoCloseable> T add(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Closes all because of {@code failure}, in which what goes wrong on the way is suppressed. */
    public void closeAfter(Throwable failure) {
        try {
            close();
        } catch (RuntimeException | Error e) {
            failure.addSuppressed(e);
        }
    }

    /**
     * @throws RuntimeException what the first one threw that failed, or an {@link Error}; what
     *     others threw is suppressed in it
     */
    @Override
    public synchronized void close() {
        Throwable first = null;
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Throwable e) { // an Error of one must not keep the others open
                if (first == null) {
                    first = e;
                } else if (first != e) {
                    first.addSuppressed(e);
                }
            }
        }
        if (first instanceof Error) {
            throw (Error) first;
        }
        if (first != null) {
            throw first instanceof RuntimeException
                    ? (RuntimeException) first
                    : new IllegalStateException("cannot be closed", first);
        }
    }
}
