package dev.sluice.flink.format;

import dev.sluice.flink.deadletter.DeadLetterConfig;

import java.io.Serializable;
import java.util.Objects;
import java.util.Optional;

/**
 * What a record that cannot be read does: it fails the task, or it is skipped, with or without a
 * dead letter. Trouble that is not the record's fault fails the task in either case. A value.
 */
public final class ErrorPolicy implements Serializable {
    private static final long serialVersionUID = 1L;

    private final boolean skips;
    private final DeadLetterConfig deadLetters; // null: none

    private ErrorPolicy(boolean skips, DeadLetterConfig deadLetters) {
        this.skips = skips;
        this.deadLetters = deadLetters;
    }

    public static ErrorPolicy fail() {
        return new ErrorPolicy(false, null);
    }

    /**
     * @param deadLetters where skipped records go; null for nowhere
     */
    public static ErrorPolicy skip(DeadLetterConfig deadLetters) {
        return new ErrorPolicy(true, deadLetters);
    }

    public boolean skips() {
        return skips;
    }

    public Optional<DeadLetterConfig> deadLetters() {
        return Optional.ofNullable(deadLetters);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ErrorPolicy
                && skips == ((ErrorPolicy) other).skips
                && Objects.equals(deadLetters, ((ErrorPolicy) other).deadLetters);
    }

    @Override
    public int hashCode() {
        return Objects.hash(skips, deadLetters);
    }

    @Override
    public String toString() {
        return !skips ? "fail" : deadLetters == null ? "skip" : "skip, " + deadLetters;
    }
}
