package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.RecentlyUsed;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.LongSupplier;
import java.util.function.ToLongFunction;

/**
 * A bounded cache whose values are fetched by one thread each, while others who ask wait for it.
 *
 * <p>A value stays for its lifetime or until more than the allowed number are younger in use. A
 * failure goes to those who waited; whether it is remembered as well depends on its kind: failures
 * of the surroundings never are, since the next attempt may succeed. Remembered failures have a
 * bound of their own, so that a flood of unknown keys pushes no value out.
 */
final class SingleFlight<K, V> {
    /** Brings the value for one key. */
    interface Fetch<V> {
        V fetch() throws RegistryException;
    }

    private final LongSupplier clock;
    private final long lifetimeNanos;
    private final long failureLifetimeNanos;
    // All three are guarded by this. Who fetches keeps its future out of the bounded maps.
    private final Map<K, CompletableFuture<V>> inFlight = new HashMap<>();
    private final RecentlyUsed<K, Kept<V>> values;
    private final RecentlyUsed<K, Kept<RegistryException>> failures;
    private final ToLongFunction<V> weight;

    /** Values weigh nothing. */
    SingleFlight(
            LongSupplier clock,
            int valuesMax,
            Duration lifetime,
            int failuresMax,
            Duration failureLifetime) {
        this(clock, valuesMax, value -> 0, lifetime, failuresMax, failureLifetime);
    }

    /**
     * @param clock in nanoseconds, from any origin
     * @param weight of a value, of which {@link SchemaLinker#TEXT_MAX} may be kept together
     * @param lifetime of values; null for good
     * @param failureLifetime of failures that concern the record; zero to remember none
     */
    SingleFlight(
            LongSupplier clock,
            int valuesMax,
            ToLongFunction<V> weight,
            Duration lifetime,
            int failuresMax,
            Duration failureLifetime) {
        this.clock = clock;
        lifetimeNanos = lifetime == null ? Long.MAX_VALUE : lifetime.toNanos();
        failureLifetimeNanos = failureLifetime.toNanos();
        this.weight = weight;
        values = new RecentlyUsed<>(valuesMax, SchemaLinker.TEXT_MAX);
        failures = new RecentlyUsed<>(failuresMax);
    }

    /**
     * The value for {@code key}, kept or fetched now.
     *
     * @param wanted names it in messages
     */
    V get(K key, String wanted, Fetch<V> fetch) throws RegistryException {
        while (true) {
            CompletableFuture<V> own = new CompletableFuture<>();
            CompletableFuture<V> present;
            synchronized (this) {
                V value = live(values, key, lifetimeNanos);
                if (value != null) {
                    return value;
                }
                RegistryException failure = live(failures, key, failureLifetimeNanos);
                if (failure != null) {
                    throw failure.again();
                }
                present = inFlight.putIfAbsent(key, own);
            }
            if (present == null) {
                return fetch(key, fetch, own);
            }
            try {
                return present.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RegistryException(
                        Kind.INTERRUPTED, 0, "interrupted while waiting for " + wanted, e);
            } catch (ExecutionException e) {
                RegistryException failure = failureForWaiter(e.getCause());
                if (failure.kind() != Kind.INTERRUPTED) {
                    throw failure;
                }
                // The fetching thread was cancelled, not this one: have a go ourselves.
            }
        }
    }

    /** What is kept and has not outlived its time, or null. */
    private <E> E live(RecentlyUsed<K, Kept<E>> kept, K key, long lifetime) {
        Kept<E> found = kept.get(key);
        if (found == null) {
            return null;
        }
        if (clock.getAsLong() - found.since >= lifetime) {
            kept.remove(key);
            return null;
        }
        return found.what;
    }

    /** An exception of the waiter's own, with its own stack trace. */
    private static RegistryException failureForWaiter(Throwable failure) {
        if (failure instanceof RegistryException) {
            RegistryException known = (RegistryException) failure;
            return new RegistryException(
                    known.kind(), known.errorCode(), known.getMessage(), known);
        }
        throw new IllegalStateException("another thread failed to fetch the schema", failure);
    }

    private V fetch(K key, Fetch<V> fetch, CompletableFuture<V> own) throws RegistryException {
        try {
            V value = fetch.fetch();
            synchronized (this) {
                inFlight.remove(key);
                Kept<V> kept = new Kept<>(value, clock.getAsLong());
                values.put(key, kept, weight.applyAsLong(value));
                failures.remove(key);
            }
            own.complete(value);
            return value;
        } catch (RegistryException | RuntimeException | Error e) {
            synchronized (this) {
                inFlight.remove(key); // first, so that who wakes up does not find it again
                remember(key, e);
            }
            own.completeExceptionally(e);
            throw e;
        }
    }

    private void remember(K key, Throwable failure) {
        if (failureLifetimeNanos == 0 || !(failure instanceof RegistryException)) {
            return;
        }
        RegistryException known = (RegistryException) failure;
        if (known.kind().concernsRecord() || known.kind() == Kind.RULES) {
            failures.put(key, new Kept<>(known.again(), clock.getAsLong()), 0);
        }
    }

    private static final class Kept<E> {
        final E what;
        final long since;

        Kept(E what, long since) {
            this.what = what;
            this.since = since;
        }
    }
}
