package dev.sluice.flink;

import dev.sluice.flink.deadletter.DeadLetterConfig;
import dev.sluice.flink.format.ErrorPolicy;

import org.apache.flink.configuration.ReadableConfig;
import org.apache.flink.table.api.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Map;

/** What a table says of records that cannot be read. */
final class ErrorOptions {
    private static final Logger LOG = LoggerFactory.getLogger(ErrorOptions.class);

    private ErrorOptions() {}

    /** Decision 17: every value but {@code fail} skips; one that may be a typo is told. */
    static ErrorPolicy of(ReadableConfig options) {
        String given = options.get(ProtoConfluentFormatOptions.ON_DESERIALIZE_ERROR).trim();
        if (given.equalsIgnoreCase("fail")) {
            if (options.getOptional(ProtoConfluentFormatOptions.DEAD_LETTER_TOPIC).isPresent()) {
                LOG.warn(
                        "option 'dead-letter-topic' has no effect while 'on-deserialize-error' is"
                                + " 'fail'");
            }
            return ErrorPolicy.fail();
        }
        if (!given.equalsIgnoreCase("skip")) {
            LOG.warn(
                    "option 'on-deserialize-error' is '{}', neither 'fail' nor 'skip': records"
                            + " that cannot be read are skipped",
                    given);
        }
        return ErrorPolicy.skip(deadLetters(options));
    }

    private static DeadLetterConfig deadLetters(ReadableConfig options) {
        String topic = options.get(ProtoConfluentFormatOptions.DEAD_LETTER_TOPIC);
        if (topic == null) {
            return null;
        }
        Map<String, String> properties =
                ProtoConfluentRegistryProperties.map(
                        ProtoConfluentFormatOptions.DEAD_LETTER_PROPERTIES, options);
        try {
            return new DeadLetterConfig(
                    topic,
                    properties,
                    options.get(ProtoConfluentFormatOptions.DEAD_LETTER_ON_FAILURE)
                            == ProtoConfluentFormatOptions.OnFailure.FAIL,
                    options.get(ProtoConfluentFormatOptions.TOPIC),
                    options.get(ProtoConfluentFormatOptions.IS_KEY));
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    String.format(
                            "Format '%s': %s",
                            ProtoConfluentFormatFactory.IDENTIFIER, e.getMessage()),
                    e);
        }
    }
}
