package dev.sluice.flink.format;

import java.io.IOException;
import java.io.Serializable;

/**
 * Knows what a table writes: shipped with the job, asked once per writer, before the first row.
 * Equal to another one that gives the same message.
 */
public interface WrittenMessageProvider extends Serializable {

    /**
     * @throws IOException if there is no such message, or nobody can tell
     */
    WrittenMessage open() throws IOException;
}
