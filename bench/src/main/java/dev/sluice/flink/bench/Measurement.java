package dev.sluice.flink.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;

import java.util.Comparator;

/**
 * One row of {@code results.json}.
 *
 * @param ns median, per record
 * @param min of the rounds
 * @param max of the rounds
 * @param bytes allocated per record
 * @param vsFlink how many times the contender's speed is that of {@code flink} in the same run;
 *     null where Flink's format does not take part
 */
@JsonPropertyOrder({"payload", "path", "contender", "ns", "min", "max", "bytes", "vs_flink"})
record Measurement(
        String payload,
        String path,
        String contender,
        double ns,
        double min,
        double max,
        double bytes,
        @JsonProperty("vs_flink") Double vsFlink) {

    /** The contender that the others are compared with. */
    static final String FLINK = "flink";

    static final Comparator<Measurement> BY_PLACE =
            Comparator.comparing(Measurement::path)
                    .thenComparing(Measurement::payload)
                    .thenComparing(Measurement::contender);

    /** Whether the other one measures the same thing. */
    boolean isOf(Measurement other) {
        return payload.equals(other.payload)
                && path.equals(other.path)
                && contender.equals(other.contender);
    }

    /** Whether the contender is this project's. */
    @JsonIgnore
    boolean isOurs() {
        return contender.equals("java") || contender.startsWith("native-");
    }
}
