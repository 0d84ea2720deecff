package dev.sluice.flink.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * How long and how often is measured. Slices are short and many, so that all contenders meet the
 * machine's fast and slow minutes alike.
 *
 * @param records distinct ones of a payload
 * @param jobRounds of jobs, which cannot be cut into slices
 * @param jobRecords of each
 */
record Settings(
        int rounds, int warmMillis, int sliceMillis, int records, int jobRounds, int jobRecords) {

    /** Records between two looks at the clock. */
    static final int BATCH = 1024;

    static final Settings QUICK = new Settings(31, 1000, 10, 8 * BATCH, 7, 800_000);
    static final Settings SMOKE = new Settings(3, 100, 10, 2 * BATCH, 3, 200_000); // does it run?
    static final Settings FULL = new Settings(101, 3000, 15, 8 * BATCH, 9, 2_000_000);

    /** These settings with another number of records. */
    Settings withRecords(int count) {
        return new Settings(rounds, warmMillis, sliceMillis, count, jobRounds, jobRecords);
    }

    /** Records of a job that reads Kafka. */
    int kafkaRecords() {
        return jobRecords / 2;
    }

    Rounds rounds(int batches) {
        return new Rounds(rounds, warmMillis, sliceMillis, batches, BATCH);
    }

    /** For the command line of a {@link Fork}. */
    List<String> toArguments() {
        List<String> arguments = new ArrayList<>();
        for (int number :
                new int[] {rounds, warmMillis, sliceMillis, records, jobRounds, jobRecords}) {
            arguments.add(Integer.toString(number));
        }
        return arguments;
    }

    static Settings ofArguments(List<String> arguments) {
        int[] numbers = arguments.stream().mapToInt(Integer::parseInt).toArray();
        return new Settings(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5]);
    }
}
