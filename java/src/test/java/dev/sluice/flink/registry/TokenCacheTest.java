package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sluice.flink.registry.RegistryException.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** When tokens are fetched, and by how many (C12). */
@Timeout(30)
class TokenCacheTest {
    private final AtomicLong clock = new AtomicLong(1_000_000);
    private final AtomicInteger fetches = new AtomicInteger();
    private volatile RegistryException trouble;

    private TokenCache cache(int lifeSeconds, int bufferSeconds) {
        return new TokenCache(
                () -> {
                    fetches.incrementAndGet();
                    if (trouble != null) {
                        throw trouble;
                    }
                    long now = clock.get();
                    return new AccessToken("t", now, now + lifeSeconds * 1000L);
                },
                bufferSeconds,
                clock::get);
    }

    @ParameterizedTest(name = "from {0} to {1}, buffer {3}, seen at {2}: {4}")
    @CsvSource({
        "1000, 2000, 1000, 0, 1800", // 80 % of its life
        "1000, 2000, 1000, 300, 1700", // not later than the buffer before the end
        "1000, 2000, 1000, 150, 1800",
        "1000, 2000, 1900, 0, 1800", // an old one: due at once
        "1000, 2000, 1900, 300, 1980", // less than the buffer is left
        "0, 2000, 1000, 0, 1800", // does not tell its start
        "1000, 2000, 2100, 0, 2020", // expired by our clock
        "1000, 1100, 1000, 300, 1080"
    })
    void aTokenIsDueInTime(long start, long expiry, long now, long buffer, long due) {
        AccessToken token = new AccessToken("t", start, expiry);
        assertThat(TokenCache.dueMillis(token, now, buffer)).isEqualTo(due);
    }

    @Test
    void aTokenIsUsedUntilItIsDue() throws Exception {
        TokenCache cache = cache(1000, 0);
        AccessToken first = cache.token();
        clock.addAndGet(799_999);
        assertThat(cache.token()).isSameAs(first).isSameAs(cache.ready());
        clock.addAndGet(1);
        assertThat(cache.ready()).isNull();
        assertThat(cache.token()).isNotSameAs(first);
        assertThat(fetches).hasValue(2);
    }

    @Test
    void aTokenOutlivesAFailedFetchUntilItExpires() throws Exception {
        TokenCache cache = cache(1000, 300);
        AccessToken first = cache.token();
        trouble = new RegistryException(Kind.UNAVAILABLE, "down");
        clock.addAndGet(700_000);
        assertThat(cache.token()).isSameAs(first);
        clock.addAndGet(9_999);
        assertThat(cache.token()).isSameAs(first);
        assertThat(fetches).hasValue(2);
        clock.addAndGet(1);
        assertThat(cache.token()).isSameAs(first);
        assertThat(fetches).hasValue(3);
        clock.addAndGet(290_000);
        assertThatThrownBy(cache::token).isSameAs(trouble);
        trouble = null;
        assertThat(cache.token()).isNotSameAs(first);
    }

    @Test
    void onlyTheTokenThatWasRefusedIsDropped() throws Exception {
        TokenCache cache = cache(1000, 0);
        AccessToken first = cache.token();
        cache.drop(first);
        assertThat(cache.ready()).isNull();
        AccessToken second = cache.token();
        cache.drop(first);
        assertThat(cache.token()).isSameAs(second);
        trouble = new RegistryException(Kind.REFUSED, "no");
        cache.drop(second);
        assertThatThrownBy(cache::token).isSameAs(trouble);
    }

    @Test
    void aHundredThreadsCauseOneFetchAndShareItsToken() throws Exception {
        List<FutureTask<AccessToken>> askers = ask(false);
        AccessToken first = askers.get(0).get();
        for (FutureTask<AccessToken> asker : askers) {
            assertThat(asker.get()).isSameAs(first);
        }
        assertThat(fetches).hasValue(1);
    }

    @Test
    void aHundredThreadsShareOneFailure() throws Exception {
        for (FutureTask<AccessToken> asker : ask(true)) {
            assertThatThrownBy(asker::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .hasMessage("down");
        }
        assertThat(fetches).hasValue(1);
    }

    /** A hundred threads of which one fetches, while the others stand before the lock. */
    private List<FutureTask<AccessToken>> ask(boolean fails) throws Exception {
        CountDownLatch answered = new CountDownLatch(1);
        TokenCache cache =
                new TokenCache(
                        () -> {
                            fetches.incrementAndGet();
                            answered.await();
                            if (fails) {
                                throw new RegistryException(Kind.UNAVAILABLE, "down");
                            }
                            return new AccessToken("t", 0, clock.get() + 1000);
                        },
                        0,
                        clock::get);
        List<FutureTask<AccessToken>> askers = new ArrayList<>();
        List<Thread> threads = new ArrayList<>();
        Callable<AccessToken> asking = cache::token;
        for (int i = 0; i < 100; i++) {
            FutureTask<AccessToken> asker = new FutureTask<>(asking);
            askers.add(asker);
            Thread thread = new Thread(asker);
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        answered.countDown();
        return askers;
    }

    @Test
    void anInterruptedFetchIsNobodyElsesFailure() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        TokenCache cache =
                new TokenCache(
                        () -> {
                            if (fetches.incrementAndGet() == 1) {
                                started.countDown();
                                new CountDownLatch(1).await();
                            }
                            return new AccessToken("t", 0, clock.get() + 1000);
                        },
                        0,
                        clock::get);
        Callable<AccessToken> asking = cache::token;
        FutureTask<AccessToken> first = new FutureTask<>(asking);
        FutureTask<AccessToken> second = new FutureTask<>(asking);
        Thread thread = new Thread(first);
        thread.start();
        started.await();
        Thread waiting = new Thread(second);
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        thread.interrupt();
        assertThat(second.get().text()).isEqualTo("t");
        assertThatThrownBy(first::get).hasCauseInstanceOf(InterruptedException.class);
    }
}
