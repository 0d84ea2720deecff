package dev.sluice.flink.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.testregistry.Fault;
import dev.sluice.flink.testregistry.Submission;
import dev.sluice.flink.testregistry.TestProxy;
import dev.sluice.flink.testregistry.TestRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** Sharing, single flight, and what is left behind. */
@Timeout(60)
class SchemaStoreTest {
    private static final Submission ORDER =
            Submission.protobuf("syntax = \"proto3\"; package shop; message Order {}");

    private TestRegistry registry;
    private SchemaKey key;
    private Set<Thread> threadsBefore;

    @BeforeEach
    void start() throws Exception {
        awaitCollected(() -> ownThreads().isEmpty());
        threadsBefore = ownThreads();
        registry = TestRegistry.start();
        key = SchemaKey.ofId(registry.register("orders-value", ORDER));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    private RegistryConfig config(String... properties) {
        Map<String, String> given = new HashMap<>();
        given.put("max.retries", "0");
        for (int i = 0; i < properties.length; i += 2) {
            given.put(properties[i], properties[i + 1]);
        }
        return RegistryConfig.of(registry.url(), given);
    }

    private static RegistryException refusal(SchemaStore store, SchemaKey key) {
        return catchThrowableOfType(RegistryException.class, () -> store.schema(key, ""));
    }

    /** Threads of our executor and of the JDK's HTTP client. */
    private static Set<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(Thread::isAlive)
                .filter(thread -> thread.getName().matches("(sluice-registry|HttpClient)-.*"))
                .collect(Collectors.toSet());
    }

    private static void awaitCollected(BooleanSupplier condition) throws InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(20).toNanos();
        while (!condition.getAsBoolean() && System.nanoTime() < end) {
            System.gc();
            Thread.sleep(50);
        }
        assertThat(condition.getAsBoolean()).isTrue();
    }

    private static <T> List<T> all(List<Callable<T>> calls) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(calls.size());
        try {
            List<T> results = new ArrayList<>();
            for (Future<T> result : threads.invokeAll(calls)) {
                results.add(result.get());
            }
            return results;
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aHundredThreadsCauseOneRequest() throws Exception {
        registry.failNext(Fault.slow(Duration.ofMillis(300)));
        try (SchemaStore one = SchemaStore.open(config());
                SchemaStore other = SchemaStore.open(config())) {
            List<Callable<LinkedSchema>> calls = new ArrayList<>();
            calls.addAll(Collections.nCopies(50, () -> one.schema(key, "")));
            calls.addAll(Collections.nCopies(50, () -> other.schema(key, "")));
            assertThat(Set.copyOf(all(calls))).hasSize(1);
            assertThat(one.schema(key, "").schema().message("shop.Order")).isNotNull();
        }
        assertThat(registry.targets()).containsExactly("/schemas/ids/1?fetchMaxId=false&subject=");
    }

    /** The threads of a round leave a spin barrier together, so that they look at the same time. */
    @Test
    void threadsThatAskAtOnceCauseOneRequestForEachId() throws Exception {
        int rounds = 80;
        int threads = 4;
        int firstId = 10_000;
        for (int round = 0; round < rounds; round++) {
            registry.put("many-value", firstId + round, ORDER);
        }
        AtomicInteger arrived = new AtomicInteger();
        try (SchemaStore store = SchemaStore.open(config())) {
            Callable<Integer> racer =
                    () -> {
                        for (int round = 0; round < rounds; round++) {
                            arrived.incrementAndGet();
                            while (arrived.get() < threads * (round + 1)) {
                                Thread.onSpinWait();
                            }
                            store.schema(SchemaKey.ofId(firstId + round), "");
                        }
                        return rounds;
                    };
            assertThat(all(Collections.nCopies(threads, racer))).containsOnly(rounds);
        }
        assertThat(registry.targets()).doesNotHaveDuplicates().hasSize(rounds);
    }

    @Test
    void aFailureReachesAllWhoWaitAndIsForgottenLater() throws Exception {
        registry.failNext(Fault.slow(Duration.ofMillis(300)));
        SchemaKey unknown = SchemaKey.ofId(4711);
        AtomicLong clock = new AtomicLong();
        try (SchemaStore store = SchemaStore.open(config(), clock::get)) {
            Callable<RegistryException> call = () -> refusal(store, unknown);
            for (RegistryException e : all(Collections.nCopies(20, call))) {
                assertThat(e.kind()).isEqualTo(Kind.NOT_FOUND);
                assertThat(e.errorCode()).isEqualTo(40403);
                assertThat(e).hasMessageContaining("does not have schema id 4711");
            }
            assertThat(registry.requests()).hasSize(1);
            registry.put("late-value", 4711, ORDER);
            clock.addAndGet(Duration.ofSeconds(5).toNanos());
            assertThat(store.schema(unknown, "")).isNotNull();
        }
    }

    @Test
    void aCancelledThreadDoesNotFailTheOthers() throws Exception {
        registry.failNext(Fault.slow(Duration.ofMinutes(1)));
        try (SchemaStore store = SchemaStore.open(config())) {
            RegistryException[] refusal = new RegistryException[1];
            Thread first = new Thread(() -> refusal[0] = refusal(store, key));
            first.start();
            while (registry.requests().isEmpty()) {
                Thread.onSpinWait();
            }
            Callable<LinkedSchema> wait = () -> store.schema(key, "");
            CountDownLatch started = new CountDownLatch(1);
            Callable<LinkedSchema> interrupt =
                    () -> {
                        started.countDown();
                        Thread.sleep(100); // so that the others wait by now
                        first.interrupt();
                        return store.schema(key, "");
                    };
            assertThat(Set.copyOf(all(List.of(wait, wait, wait, interrupt)))).hasSize(1);
            first.join();
            assertThat(refusal[0].kind()).isEqualTo(Kind.INTERRUPTED);
        }
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void sharesNothingBetweenOtherCredentials() throws Exception {
        registry.requireAuthorization("Bearer right");
        String source = "bearer.auth.credentials.source";
        try (SchemaStore right =
                        SchemaStore.open(
                                config(source, "STATIC_TOKEN", "bearer.auth.token", "right"));
                SchemaStore wrong =
                        SchemaStore.open(
                                config(source, "STATIC_TOKEN", "bearer.auth.token", "wrong"));
                SchemaStore open = SchemaStore.open(config())) {
            assertThat(right.schema(key, "")).isNotNull();
            assertThat(refusal(wrong, key).kind()).isEqualTo(Kind.REFUSED);
            assertThat(refusal(open, key).kind()).isEqualTo(Kind.REFUSED);
        }
        assertThat(registry.requests())
                .extracting(request -> request.headers().getFirst("Authorization"))
                .containsExactly("Bearer right", "Bearer wrong", null);
    }

    @Test
    void theCacheLivesAsLongAsAnOpenStore() throws Exception {
        SchemaStore first = SchemaStore.open(config());
        SchemaStore second = SchemaStore.open(config());
        LinkedSchema schema = first.schema(key, "");
        first.close();
        first.close();
        assertThat(second.schema(key, "")).isSameAs(schema);
        assertThatThrownBy(() -> first.schema(key, "")).hasMessage("the schema store is closed");
        second.close();
        try (SchemaStore third = SchemaStore.open(config())) {
            assertThat(third.schema(key, "")).isNotSameAs(schema);
        }
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void leavesNoThreadAfterTheLastClose() throws Exception {
        SchemaStore store = SchemaStore.open(config());
        store.schema(key, "");
        assertThat(ownThreads()).hasSizeGreaterThan(threadsBefore.size());
        store.close();
        awaitCollected(() -> ownThreads().isEmpty());
    }

    /** The relay sees the connections that the client keeps open for later. */
    @Test
    void leavesNoSocketAfterTheLastClose() throws Exception {
        try (TestProxy relay = TestProxy.start(registry.port())) {
            String url = "http://127.0.0.1:" + relay.port();
            SchemaStore store = SchemaStore.open(RegistryConfig.of(url, Map.of()));
            store.schema(key, "");
            assertThat(relay.openConnections()).isEqualTo(1);
            store.close();
            awaitCollected(() -> relay.openConnections() == 0);
        }
    }

    @Test
    void aStoreThatNobodyClosesIsCollectedWithItsThreads() throws Exception {
        SchemaStore.open(config()).schema(key, "");
        awaitCollected(() -> ownThreads().isEmpty());
        try (SchemaStore store = SchemaStore.open(config())) {
            store.schema(key, "");
        }
        assertThat(registry.requests()).hasSize(2);
    }

    @Test
    void refusesOtherTypesBadTextsAndRulesByName() {
        registry.put("a", 10, Submission.ofType("AVRO", "\"string\""));
        registry.put("b", 11, Submission.ofType("JSON", "{}"));
        registry.put("c", 12, Submission.protobuf("message {"));
        Map<String, Object> rule = Map.of("name", "decrypt", "mode", "WRITEREAD");
        registry.put("d", 13, ORDER.withRuleSet(Map.of("domainRules", List.of(rule))));
        try (SchemaStore store = SchemaStore.open(config())) {
            RegistryException avro = refusal(store, SchemaKey.ofId(10));
            assertThat(avro.kind()).isEqualTo(Kind.OTHER_TYPE);
            assertThat(avro).hasMessage("schema id 10 has the schema type AVRO, not PROTOBUF");
            assertThat(refusal(store, SchemaKey.ofId(11)).kind()).isEqualTo(Kind.OTHER_TYPE);
            RegistryException text = refusal(store, SchemaKey.ofId(12));
            assertThat(text.kind()).isEqualTo(Kind.BAD_SCHEMA);
            assertThat(text).hasMessageContaining("schema id 12", " cannot be linked: ");
            RegistryException rules = refusal(store, SchemaKey.ofId(13));
            assertThat(rules.kind()).isEqualTo(Kind.RULES);
            assertThat(rules).hasMessageContaining("[decrypt]");
        }
    }

    @Test
    void showsNoSecretInAnyException() throws Exception {
        String s3creted =
                registry.url().replace("//", "//me:s3cret@") + ",http://x:s3cret@127.0.0.1:1";
        Map<String, String> properties =
                Map.of(
                        "basic.auth.credentials.source", "URL",
                        "request.header.X-Key", "s3cret",
                        "retries.wait.ms", "1");
        try (SchemaStore store = SchemaStore.open(RegistryConfig.of(s3creted, properties))) {
            List<Fault> faults =
                    List.of(
                            Fault.error(401, 40101),
                            Fault.error(404, 40403),
                            Fault.error(503, 503),
                            Fault.html(200),
                            Fault.redirect("http://elsewhere"),
                            Fault.cut(),
                            Fault.cutBody());
            for (Fault fault : faults) {
                registry.failAlways(fault);
                for (Throwable e = refusal(store, key); e != null; e = e.getCause()) {
                    assertThat(e.toString()).doesNotContain("s3cret").doesNotContain("czNjcmV0");
                }
            }
        }
    }
}
