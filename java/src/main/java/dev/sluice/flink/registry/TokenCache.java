package dev.sluice.flink.registry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * One token for all threads that use one config (C12). It is replaced in time by the thread that
 * asks first; there is no thread of its own. The others wait for that one fetch, and share its
 * failure: a hundred subtasks do not queue up for an endpoint that is down.
 *
 * <p>A token that is due but has not expired outlives a failed fetch, which is tried again ten
 * seconds later.
 */
final class TokenCache {
    private static final Logger LOG = LoggerFactory.getLogger(TokenCache.class);
    private static final long RETRY_MILLIS = 10_000;

    /** Where tokens come from. */
    interface Source {
        AccessToken fetch() throws RegistryException, InterruptedException;
    }

    private final Source source;
    private final long bufferMillis;
    private final LongSupplier clock; // milliseconds of the epoch
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile Held held; // null before the first token and after a dropped one
    private volatile long fetches; // that ended, either way; written under the lock
    private RegistryException failure; // of the last fetch, else null; guarded by the lock

    TokenCache(Source source, int bufferSeconds, LongSupplier clock) {
        this.source = source;
        this.bufferMillis = bufferSeconds * 1000L;
        this.clock = clock;
    }

    /**
     * A token that is not due yet, fetched if need be.
     *
     * @throws RegistryException if there is none to be had
     */
    AccessToken token() throws RegistryException, InterruptedException {
        AccessToken ready = ready();
        if (ready != null) {
            return ready;
        }
        long before = fetches;
        fetching.lockInterruptibly();
        try {
            ready = ready();
            if (ready != null) {
                return ready;
            }
            if (fetches != before && failure != null) {
                throw failure.again();
            }
            return fetch();
        } finally {
            fetching.unlock();
        }
    }

    /** The token that {@link #token} would give without a fetch, or null. */
    AccessToken ready() {
        Held now = held;
        return now != null && clock.getAsLong() < now.dueMillis ? now.token : null;
    }

    private AccessToken fetch() throws RegistryException, InterruptedException {
        try {
            AccessToken token = source.fetch();
            held = new Held(token, dueMillis(token, clock.getAsLong(), bufferMillis));
            failure = null;
            fetches++;
            return token;
        } catch (RegistryException e) {
            Held old = held;
            long now = clock.getAsLong();
            if (old != null && now < old.token.expiryMillis()) {
                LOG.warn("{}; the old token still serves", e.getMessage());
                long due = Math.min(now + RETRY_MILLIS, old.token.expiryMillis());
                held = new Held(old.token, due);
                return old.token;
            }
            failure = e;
            fetches++;
            throw e;
        }
    }

    /** Forgets {@code refused} if it is still the one that would be given out. */
    void drop(AccessToken refused) throws InterruptedException {
        fetching.lockInterruptibly();
        try {
            if (held != null && held.token == refused) {
                held = null;
            }
        } finally {
            fetching.unlock();
        }
    }

    /**
     * When a token is to be replaced: after 80 % of its life, but not later than the buffer before
     * its expiry; if less than the buffer is left, after 80 % of what is left.
     */
    static long dueMillis(AccessToken token, long nowMillis, long bufferMillis) {
        long expiry = token.expiryMillis();
        long left = expiry - nowMillis;
        if (bufferMillis > left) {
            return nowMillis + left * 4 / 5;
        }
        long start = token.startMillis() == 0 ? nowMillis : token.startMillis();
        return Math.min(start + (expiry - start) * 4 / 5, expiry - bufferMillis);
    }

    /** Seen as a whole by threads that take no lock. */
    private static final class Held {
        private final AccessToken token;
        private final long dueMillis;

        Held(AccessToken token, long dueMillis) {
            this.token = token;
            this.dueMillis = dueMillis;
        }
    }
}
