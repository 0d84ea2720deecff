package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** What is kept, for how long and how much of it; the races are in {@link SchemaStoreTest}. */
class SingleFlightTest {
    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10); // it may overflow
    private final List<Integer> fetched = new ArrayList<>();

    private SingleFlight<Integer, String> flight(Duration lifetime, Duration failureLifetime) {
        return new SingleFlight<>(clock::get, 3, lifetime, 2, failureLifetime);
    }

    private String get(SingleFlight<Integer, String> flight, int key) throws RegistryException {
        return flight.get(
                key,
                "it",
                () -> {
                    fetched.add(key);
                    return "value " + key;
                });
    }

    private RegistryException fail(SingleFlight<Integer, String> flight, int key, Kind kind) {
        return catchThrowableOfType(
                RegistryException.class,
                () ->
                        flight.get(
                                key,
                                "it",
                                () -> {
                                    fetched.add(key);
                                    throw new RegistryException(kind, 40403, "no", null);
                                }));
    }

    @Test
    void dropsTheValueThatWasNotAskedForLongest() throws Exception {
        SingleFlight<Integer, String> flight = flight(null, Duration.ZERO);
        for (int key : new int[] {1, 2, 3, 1, 4, 1, 2}) {
            assertThat(get(flight, key)).isEqualTo("value " + key);
        }
        assertThat(fetched).containsExactly(1, 2, 3, 4, 2);
    }

    @Test
    void valuesThatWeighMuchAreFewer() throws Exception {
        SingleFlight<Integer, String> flight =
                new SingleFlight<>(
                        clock::get,
                        100,
                        value -> SchemaLinker.TEXT_MAX / 2,
                        null,
                        2,
                        Duration.ZERO);
        for (int key : new int[] {1, 2, 1, 3, 1, 2}) {
            assertThat(get(flight, key)).isEqualTo("value " + key);
        }
        assertThat(fetched).containsExactly(1, 2, 3, 2);
    }

    @Test
    void aValueLivesForItsLifetime() throws Exception {
        SingleFlight<Integer, String> flight = flight(Duration.ofNanos(100), Duration.ZERO);
        get(flight, 1);
        clock.addAndGet(99);
        get(flight, 1);
        assertThat(fetched).hasSize(1);
        clock.addAndGet(1);
        get(flight, 1);
        assertThat(fetched).hasSize(2);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void remembersOnlyFailuresThatTheNextAttemptRepeats(Kind kind) throws Exception {
        SingleFlight<Integer, String> flight = flight(null, Duration.ofNanos(100));
        boolean remembered =
                switch (kind) {
                    case NOT_FOUND, OTHER_TYPE, BAD_SCHEMA, RULES -> true;
                    default -> false;
                };
        fail(flight, 1, kind);
        clock.addAndGet(99);
        RegistryException again = fail(flight, 1, kind);
        assertThat(again.kind()).isEqualTo(kind);
        assertThat(again).hasMessage("no").hasNoCause();
        assertThat(again.errorCode()).isEqualTo(40403);
        assertThat(fetched).hasSize(remembered ? 1 : 2);
        clock.addAndGet(100);
        assertThat(get(flight, 1)).isEqualTo("value 1");
    }

    @Test
    void remembersNoFailureIfThatIsOff() {
        SingleFlight<Integer, String> flight = flight(null, Duration.ZERO);
        fail(flight, 1, Kind.NOT_FOUND);
        fail(flight, 1, Kind.NOT_FOUND);
        assertThat(fetched).hasSize(2);
    }

    @Test
    void aFloodOfFailuresIsBoundedAndDropsNoValue() throws Exception {
        SingleFlight<Integer, String> flight = flight(null, Duration.ofHours(1));
        get(flight, 0);
        for (int key = 1; key <= 1000; key++) {
            fail(flight, key, Kind.NOT_FOUND);
        }
        fetched.clear();
        get(flight, 0);
        fail(flight, 1000, Kind.NOT_FOUND);
        fail(flight, 999, Kind.NOT_FOUND);
        assertThat(fetched).isEmpty();
        fail(flight, 998, Kind.NOT_FOUND);
        assertThat(fetched).containsExactly(998);
    }

    @Test
    void eachWhoIsToldARememberedFailureGetsAnExceptionOfItsOwn() {
        SingleFlight<Integer, String> flight = flight(null, Duration.ofHours(1));
        fail(flight, 1, Kind.NOT_FOUND);
        RegistryException one = fail(flight, 1, Kind.NOT_FOUND);
        one.addSuppressed(new IllegalStateException());
        assertThat(fail(flight, 1, Kind.NOT_FOUND)).isNotSameAs(one).hasNoSuppressedExceptions();
    }
}
