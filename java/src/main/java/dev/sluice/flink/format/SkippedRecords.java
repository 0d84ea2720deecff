package dev.sluice.flink.format;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;

/**
 * Tells about records that were dropped: each is counted, and the log gets the first and after that
 * one line in {@value #SILENCE_SECONDS} seconds at most, so that a topic of bad records cannot fill
 * the disk. Belongs to one task thread.
 */
public final class SkippedRecords {

    static final long SILENCE_SECONDS = 10;

    private static final Logger LOG = LoggerFactory.getLogger(SkippedRecords.class);

    private final DecodeMetrics metrics;
    private long untold;
    private long toldNanos;
    private boolean told;

    public SkippedRecords(DecodeMetrics metrics) {
        this.metrics = metrics;
    }

    /**
     * Counts one record.
     *
     * @param why its text goes to the log; it holds no bytes of the record
     */
    public void add(Exception why) {
        metrics.countSkipped();
        if (isTimeToTell(System.nanoTime())) {
            LOG.warn("record skipped ({} more since the last line): {}", untold, why.getMessage());
            untold = 0;
        } else {
            untold++;
        }
    }

    /** Whether a line is due at this time of {@link System#nanoTime}; if so, it counts as told. */
    boolean isTimeToTell(long nanos) {
        if (told && nanos - toldNanos < TimeUnit.SECONDS.toNanos(SILENCE_SECONDS)) {
            return false;
        }
        told = true;
        toldNanos = nanos;
        return true;
    }
}
