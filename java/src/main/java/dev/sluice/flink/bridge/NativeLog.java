package dev.sluice.flink.bridge;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Hands lines that native code logged to slf4j. Native code only appends to a bounded buffer: it
 * never calls Java, so it holds no reference that could pin a class loader. Cold calls drain the
 * buffer afterwards, on their own thread.
 *
 * <p>The logger is {@code dev.sluice.flink.native.} and the Rust module with dots.
 */
final class NativeLog {
    private static final String PREFIX = "dev.sluice.flink.native.";

    private NativeLog() {}

    /** One line, as native code logged it. */
    static final class Line {
        private final int level;
        private final String target;
        private final String message;

        private Line(ByteBuffer encoded) {
            level = encoded.get();
            target = text(encoded);
            message = text(encoded);
        }

        private static String text(ByteBuffer encoded) {
            byte[] utf8 = new byte[encoded.getInt()];
            encoded.get(utf8);
            return new String(utf8, StandardCharsets.UTF_8);
        }

        /** Levels are numbered as in the crate {@code log}: 1 is an error, 5 a trace. */
        private void write() {
            Logger logger = LoggerFactory.getLogger(loggerName());
            switch (level) {
                case 1:
                    logger.error(message);
                    break;
                case 2:
                    logger.warn(message);
                    break;
                case 3:
                    logger.info(message);
                    break;
                default:
                    logger.debug(message);
            }
        }

        int level() {
            return level;
        }

        String loggerName() {
            return PREFIX + target.replace("::", ".");
        }

        String message() {
            return message;
        }
    }

    /** Moves all waiting lines to their loggers. */
    static void drain() {
        read(drainLog()).forEach(Line::write);
    }

    static List<Line> read(byte[] encoded) {
        List<Line> lines = new ArrayList<>();
        ByteBuffer rest = ByteBuffer.wrap(encoded);
        while (rest.hasRemaining()) {
            lines.add(new Line(rest));
        }
        return lines;
    }

    /** Lines as level (1 byte), target and message (each a 4 byte length and UTF-8). */
    static native byte[] drainLog();
}
