package dev.sluice.flink.engine;

import java.io.IOException;
import java.util.Map;

/** Decodes records one by one. An instance belongs to one task thread. */
public interface RecordDecoder extends EngineResource {
    /** Messages that are counted each by itself; a topic can have any number of them over time. */
    int MESSAGES_MAX = 1000;

    /** The name under which all others are counted. */
    String OTHER_MESSAGES = "(others)";

    /**
     * The row of one record in Flink's canonical binary layout (the bytes of a {@code
     * BinaryRowData}), in an array of its own that nothing here touches again.
     *
     * @param record the whole record, frame included; not changed and not kept
     * @return null if the record holds another message than the one that the plan asks for
     * @throws RecordException if the record is refused
     * @throws IOException if the writer schema cannot be fetched
     */
    byte[] decode(byte[] record) throws RecordException, IOException;

    /** Rows made so far. May be asked from any thread, also after {@link #close}. */
    long records();

    /**
     * Rows made so far of each message, by full name, and of all beyond {@link #MESSAGES_MAX}
     * together; messages that gave no row yet may be missing. May be asked from any thread, also
     * after {@link #close}; decoding does not wait for it.
     */
    Map<String, Long> recordsByMessage();

    /** Grows with each message that {@link #recordsByMessage} tells of. For the task thread. */
    int messagesMet();

    /** Whether rows are made by native code. */
    boolean isNative();
}
