package dev.sluice.flink.kafka;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.Frame;
import dev.sluice.flink.engine.RecordException;

import java.util.Arrays;
import java.util.OptionalLong;

/**
 * What a header with a schema id says (W15, W18, W19): the bytes that would stand in front of the
 * message if it were in the payload. Bytes behind them are ignored. Belongs to one thread.
 */
final class HeaderFrames {
    /** A frame that no decoder accepts: minus one message indexes. */
    private static final byte[] REFUSED = {0, 0, 0, 0, 0, 1};

    // Most records of a topic have the same header as the one before.
    private byte[] lastHeader = {};
    private byte[] lastPrefix;

    /**
     * The frame in this header.
     *
     * @throws RecordException if it is broken; there is no other place to look then
     */
    byte[] prefix(String name, byte[] header) throws RecordException {
        if (lastPrefix == null || !Arrays.equals(header, lastHeader)) {
            try {
                lastPrefix = Arrays.copyOf(header, Frame.read(header).messageOffset());
            } catch (RecordException e) {
                throw broken(name, e);
            }
            lastHeader = header;
        }
        return lastPrefix;
    }

    /** The same, with a frame that is refused in place of a broken one. */
    byte[] prefixOrRefused(byte[] header) {
        try {
            return prefix("", header);
        } catch (RecordException e) {
            return REFUSED;
        }
    }

    private static RecordException broken(String name, RecordException why) {
        FailureCode code = why.code();
        String where = why.reason().replace("the record", "it");
        String reason = "header '" + name + "' is broken: " + where;
        return new RecordException(code, reason, null, "", "", OptionalLong.empty(), null);
    }
}
