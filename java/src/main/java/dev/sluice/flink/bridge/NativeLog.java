package dev.sluice.flink.bridge;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

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

    /** Moves all waiting lines to their loggers. */
    static void drain() {
        ByteBuffer lines = ByteBuffer.wrap(drainLog());
        while (lines.hasRemaining()) {
            int level = lines.get();
            Logger logger = LoggerFactory.getLogger(PREFIX + text(lines).replace("::", "."));
            write(logger, level, text(lines));
        }
    }

    private static String text(ByteBuffer lines) {
        byte[] utf8 = new byte[lines.getInt()];
        lines.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    /** Levels are numbered as in the crate {@code log}: 1 is an error, 5 a trace. */
    private static void write(Logger logger, int level, String message) {
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

    /** Lines as level (1 byte), target and message (each a 4 byte length and UTF-8). */
    private static native byte[] drainLog();
}
