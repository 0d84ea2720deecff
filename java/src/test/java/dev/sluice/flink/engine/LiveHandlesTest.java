package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.LinkedHashMap;
import java.util.Map;

class LiveHandlesTest {
    /** As Flink keeps them: the first hook of a name stays. */
    private final Map<String, Runnable> hooks = new LinkedHashMap<>();

    private final ClassLoader userCode = new URLClassLoader(new URL[0]);

    private static final class Fake implements RecordDecoder {
        private boolean closed;
        private RuntimeException failure; // thrown by close, unless null

        @Override
        public byte[] decode(byte[] record) {
            return record;
        }

        @Override
        public long records() {
            return 0;
        }

        @Override
        public Map<String, Long> recordsByMessage() {
            return Map.of();
        }

        @Override
        public int messagesMet() {
            return 0;
        }

        @Override
        public boolean isNative() {
            return false;
        }

        @Override
        public void close() {
            closed = true;
            if (failure != null) {
                throw failure;
            }
        }
    }

    @Test
    void oneHookClosesAllDecodersOfItsClassLoader() {
        Fake first = new Fake();
        Fake second = new Fake();
        Fake ofAnotherJob = new Fake();
        LiveHandles.closeOnRelease(first, userCode, hooks::putIfAbsent);
        LiveHandles.closeOnRelease(second, userCode, hooks::putIfAbsent);
        ClassLoader otherCode = new URLClassLoader(new URL[0]);
        LiveHandles.closeOnRelease(ofAnotherJob, otherCode, (name, hook) -> {});
        assertThat(hooks).hasSize(1);
        hooks.values().forEach(Runnable::run);
        assertThat(first.closed && second.closed).isTrue();
        assertThat(ofAnotherJob.closed).isFalse();
    }

    @Test
    void oneThatCannotBeClosedKeepsNoOtherOpen() {
        Fake first = new Fake();
        Fake second = new Fake();
        first.failure = new IllegalStateException("first");
        second.failure = new IllegalStateException("second");
        LiveHandles.closeOnRelease(first, userCode, hooks::putIfAbsent);
        LiveHandles.closeOnRelease(second, userCode, hooks::putIfAbsent);
        assertThatThrownBy(() -> hooks.values().forEach(Runnable::run))
                .isIn(first.failure, second.failure);
        assertThat(first.closed && second.closed).isTrue();
    }

    @Test
    void theHookKeepsNoDecoderAlive() throws Exception {
        WeakReference<Fake> dropped = register();
        for (int round = 0; round < 200 && dropped.get() != null; round++) {
            System.gc();
            Thread.sleep(10);
        }
        assertThat(dropped.get()).isNull();
        hooks.values().forEach(Runnable::run);
    }

    private WeakReference<Fake> register() {
        Fake decoder = new Fake();
        LiveHandles.closeOnRelease(decoder, userCode, hooks::putIfAbsent);
        return new WeakReference<>(decoder);
    }
}
