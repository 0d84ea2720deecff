package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * How long and how often is measured.
 *
 * @param records distinct ones of a payload
 */
record Settings(int rounds, int warmMillis, int sliceMillis, int records) {

    /** Records between two looks at the clock. */
    static final int BATCH = 1024;

    static final Settings QUICK = new Settings(7, 1000, 40, 8 * BATCH);
    static final Settings SMOKE = new Settings(3, 100, 10, 2 * BATCH); // does it run?
    static final Settings FULL = new Settings(11, 4000, 150, 8 * BATCH);

    /** These settings with another number of records. */
    Settings withRecords(int count) {
        return new Settings(rounds, warmMillis, sliceMillis, count);
    }

    /** Records of a whole job. */
    long jobRecords() {
        return sliceMillis * 20_000L;
    }

    /** Records of a job that reads Kafka. */
    long kafkaRecords() {
        return sliceMillis * 10_000L;
    }

    Rounds rounds(int batches) {
        return new Rounds(rounds, warmMillis, sliceMillis, batches, BATCH);
    }

    /** For the command line of a {@link Fork}. */
    List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        for (int number : new int[] {rounds, warmMillis, sliceMillis, records}) {
            arguments.add(Integer.toString(number));
        }
        return arguments;
    }

    static Settings ofArguments(List<String> arguments) {
        int[] numbers = arguments.stream().mapToInt(Integer::parseInt).toArray();
        return new Settings(numbers[0], numbers[1], numbers[2], numbers[3]);
    }
}
