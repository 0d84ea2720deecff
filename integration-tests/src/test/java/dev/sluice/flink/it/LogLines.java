package dev.sluice.flink.it;

import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.LogEvent;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.appender.AbstractAppender;
import org.apache.logging.log4j.core.config.Property;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** Log lines of the format, as long as it is open: {@code WARN text}. */
final class LogLines implements AutoCloseable {
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final LoggerContext context = (LoggerContext) LogManager.getContext(false);
    private final AbstractAppender appender =
            new AbstractAppender("lines", null, null, true, Property.EMPTY_ARRAY) {
                @Override
                public void append(LogEvent event) {
                    lines.add(event.getLevel() + " " + event.getMessage().getFormattedMessage());
                }
            };

    private LogLines() {
        appender.start();
        context.getLogger("dev.sluice").addAppender(appender);
    }

    static LogLines open() {
        return new LogLines();
    }

    List<String> all() {
        return lines;
    }

    @Override
    public void close() {
        context.getLogger("dev.sluice").removeAppender(appender);
        appender.stop();
    }
}
