package dev.sluice.flink.bench;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import org.apache.flink.api.connector.sink2.Sink;
import org.apache.flink.api.connector.sink2.SinkWriter;
import org.apache.flink.api.connector.sink2.WriterInitContext;
import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.connector.sink.SinkV2Provider;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.factories.DynamicTableSinkFactory;
import org.apache.flink.table.factories.FactoryUtil;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A table that throws rows away and reads clocks at two of them: it stands in the task's thread,
 * behind the source that it is chained to, and so sees what a whole record costs that thread.
 * Between the two rows neither start nor end of the job is measured.
 */
final class MeteredTableFactory implements DynamicTableSinkFactory {
    private static final ConfigOption<Long> COUNT =
            ConfigOptions.key("count").longType().noDefaultValue();

    /** The share of rows before the first look: they fill the pipeline, and wake the compiler. */
    private static final int WARM_PART = 5;

    static final int ROWS_KEPT = 1000;
    private static Seen last;

    /**
     * Of one job.
     *
     * @param records all that came
     * @param rows the first of them
     * @param measured difference of the two readings; null if fewer came than were announced
     */
    record Seen(long records, List<RowData> rows, Reading measured) {}

    /**
     * Clocks and counts, or what they have grown by.
     *
     * @param records rows that came
     * @param polled records that were decoded ahead
     * @param taskNanos CPU time of the task's thread
     * @param taskBytes allocated by it
     * @param processNanos CPU time of this process
     * @param wallNanos as on the wall
     */
    record Reading(
            long records,
            long polled,
            long taskNanos,
            long taskBytes,
            long processNanos,
            long wallNanos) {

        private static final ThreadMXBean THREADS =
                (ThreadMXBean) ManagementFactory.getThreadMXBean();
        private static final OperatingSystemMXBean PROCESS =
                (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

        static Reading at(long records) {
            return new Reading(
                    records,
                    PolledShare.records(),
                    THREADS.getCurrentThreadCpuTime(),
                    THREADS.getThreadAllocatedBytes(Thread.currentThread().getId()),
                    PROCESS.getProcessCpuTime(),
                    System.nanoTime());
        }

        Reading since(Reading before) {
            return new Reading(
                    records - before.records,
                    polled - before.polled,
                    taskNanos - before.taskNanos,
                    taskBytes - before.taskBytes,
                    processNanos - before.processNanos,
                    wallNanos - before.wallNanos);
        }
    }

    /** What the job that ended last has seen. */
    static synchronized Seen last() {
        return last;
    }

    private static synchronized void ended(Seen seen) {
        last = seen;
    }

    private record Discarded(long count) implements Sink<RowData> {
        @Override
        public SinkWriter<RowData> createWriter(WriterInitContext context) {
            return new Meter(count);
        }
    }

    private static final class Meter implements SinkWriter<RowData> {
        private final List<RowData> rows = new ArrayList<>();
        private final long from;
        private final long to;
        private long seen;
        private Reading begin;
        private Reading end;

        Meter(long count) {
            from = count / WARM_PART;
            to = count;
        }

        @Override
        public void write(RowData row, Context context) {
            seen++;
            if (seen <= ROWS_KEPT) {
                rows.add(row);
            }
            if (seen == from) {
                begin = Reading.at(seen);
            } else if (seen == to) {
                end = Reading.at(seen);
            }
        }

        @Override
        public void flush(boolean isLast) {}

        @Override
        public void close() {
            ended(new Seen(seen, rows, end == null ? null : end.since(begin)));
        }
    }

    private record Table(long count) implements DynamicTableSink {
        @Override
        public ChangelogMode getChangelogMode(ChangelogMode requested) {
            return ChangelogMode.insertOnly();
        }

        @Override
        public SinkRuntimeProvider getSinkRuntimeProvider(Context context) {
            return SinkV2Provider.of(new Discarded(count));
        }

        @Override
        public DynamicTableSink copy() {
            return this;
        }

        @Override
        public String asSummaryString() {
            return "metered";
        }
    }

    @Override
    public String factoryIdentifier() {
        return "metered";
    }

    @Override
    public Set<ConfigOption<?>> requiredOptions() {
        return Set.of(COUNT);
    }

    @Override
    public Set<ConfigOption<?>> optionalOptions() {
        return Set.of();
    }

    @Override
    public DynamicTableSink createDynamicTableSink(Context context) {
        return new Table(
                FactoryUtil.createTableFactoryHelper(this, context).getOptions().get(COUNT));
    }
}
