package dev.sluice.flink.engine;

import java.util.List;

/** Decodes whole polls ahead of their turn. An instance belongs to one thread. */
public interface PollDecoder extends EngineResource {
    /**
     * Makes the rows of as many records as it can. What it cannot decide, for whatever reason, it
     * leaves alone: such a record has no row and an outcome that says nothing.
     *
     * @param prefixes what stands before the record of the same index, null for nothing; null if
     *     that holds for all
     * @param count how many of the records there are
     * @param bytesMax for all rows together
     * @param rows gets each row that was made, under the index of its record
     * @param outcomes gets the number of each row's message in {@link #messages}, and the negative
     *     number of {@code OTHER_MESSAGE} for a record that the plan does not ask for
     * @throws IllegalStateException if it is closed, or has failed as a whole
     */
    void decodeAll(
            byte[][] prefixes,
            byte[][] records,
            int count,
            int bytesMax,
            byte[][] rows,
            int[] outcomes);

    /** Messages that rows were made of, by full name. From any thread, also once closed. */
    List<String> messages();

    /** Opens a decoder where it is needed. */
    @FunctionalInterface
    interface Source {
        PollDecoder open() throws RecordException;
    }
}
