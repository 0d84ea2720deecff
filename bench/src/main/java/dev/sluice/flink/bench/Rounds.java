package dev.sluice.flink.bench;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/**
 * Times contenders in turns: a slice of CPU time each, in as many rounds as asked for, every round
 * beginning with another one. What the machine does meanwhile hits all of them, and the median
 * leaves a bad round out.
 *
 * @param warmMillis CPU time that each contender runs before the first round
 * @param sliceMillis CPU time of a slice
 * @param batches that a contender goes through, again from the first one after the last
 * @param recordsPerBatch what a time is divided by
 */
record Rounds(int count, int warmMillis, int sliceMillis, int batches, int recordsPerBatch) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Of one contender: the median of its rounds, their extremes, and bytes of the last round. */
    record Times(String contender, double median, double min, double max, double bytes) {

        static Times of(String contender, List<Double> rounds, double bytes) {
            double[] sorted = rounds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
            int last = sorted.length - 1;
            return new Times(contender, sorted[sorted.length / 2], sorted[0], sorted[last], bytes);
        }
    }

    List<Times> run(List<Contender> contenders) throws Exception {
        warm(contenders);
        int n = contenders.size();
        List<List<Double>> nanos = new ArrayList<>();
        contenders.forEach(each -> nanos.add(new ArrayList<>()));
        double[] bytes = new double[n];
        int[] next = new int[n];
        for (int round = 0; round < count; round++) {
            for (int turn = 0; turn < n; turn++) {
                int at = (turn + round) % n;
                Slice slice = new Slice(next[at]);
                slice.run(contenders.get(at).work());
                next[at] = slice.batch;
                nanos.get(at).add(slice.nanosPerRecord());
                bytes[at] = slice.bytesPerRecord();
            }
        }
        List<Times> times = new ArrayList<>();
        for (int at = 0; at < n; at++) {
            times.add(Times.of(contenders.get(at).name(), nanos.get(at), bytes[at]));
        }
        return times;
    }

    /** Twice round: what a later contender makes the compiler forget is compiled again. */
    private void warm(List<Contender> contenders) throws Exception {
        for (int pass = 0; pass < 2; pass++) {
            for (Contender contender : contenders) {
                long end = THREADS.getCurrentThreadCpuTime() + warmMillis * 500_000L;
                for (int batch = 0;
                        THREADS.getCurrentThreadCpuTime() < end;
                        batch = (batch + 1) % batches) {
                    contender.work().prepare(batch);
                    contender.work().run(batch);
                }
            }
        }
    }

    private final class Slice {
        private final long thread = Thread.currentThread().getId();
        private int batch;
        private long nanos;
        private long bytes;
        private long records;

        Slice(int batch) {
            this.batch = batch;
        }

        void run(Contender.Work work) throws Exception {
            while (nanos < sliceMillis * 1_000_000L) {
                work.prepare(batch);
                long bytesBefore = THREADS.getThreadAllocatedBytes(thread);
                long before = THREADS.getCurrentThreadCpuTime();
                work.run(batch);
                nanos += THREADS.getCurrentThreadCpuTime() - before;
                bytes += THREADS.getThreadAllocatedBytes(thread) - bytesBefore;
                records += recordsPerBatch;
                batch = (batch + 1) % batches;
            }
        }

        double nanosPerRecord() {
            return (double) nanos / records;
        }

        double bytesPerRecord() {
            return (double) bytes / records;
        }
    }
}
