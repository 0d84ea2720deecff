package dev.sluice.flink.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

class OwnedTest {
    private final List<String> closed = new ArrayList<>();
    private final Owned owned = new Owned();

    private AutoCloseable resource(String name, Throwable failure) {
        return () -> {
            closed.add(name);
            if (failure instanceof Error) {
                throw (Error) failure;
            }
            if (failure != null) {
                throw (Exception) failure;
            }
        };
    }

    @Test
    void theLastOneIsClosedFirstAndEachOnce() {
        owned.add(resource("first", null));
        owned.add(resource("second", null));
        owned.close();
        owned.close();
        assertThat(closed).containsExactly("second", "first");
    }

    @Test
    void allAreClosedWhateverTheOthersThrow() {
        RuntimeException one = new IllegalStateException("one");
        Error other = new LinkageError("other");
        IOException last = new IOException("last");
        owned.add(resource("c", last));
        owned.add(resource("b", other));
        owned.add(resource("a", one));
        assertThatThrownBy(owned::close)
                .isSameAs(one)
                .hasSuppressedException(other)
                .hasSuppressedException(last);
        assertThat(closed).containsExactly("a", "b", "c");
    }

    @Test
    void aFailureThatClosesKeepsItsPlace() {
        IOException checked = new IOException("checked");
        owned.add(resource("a", checked));
        Exception cause = new Exception("cause");
        owned.closeAfter(cause);
        assertThat(cause.getSuppressed()).hasSize(1);
        assertThat(cause.getSuppressed()[0]).hasCause(checked);
    }
}
