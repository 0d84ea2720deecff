package dev.sluice.flink.format;

import dev.sluice.flink.engine.WriterMessage;
import dev.sluice.flink.registry.RegistryConfig;
import dev.sluice.flink.registry.RegistryException;
import dev.sluice.flink.schema.SchemaException;

import org.apache.flink.table.api.ValidationException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;

/**
 * Compares the columns of a table with the message that it writes, while the table is planned:
 * nothing is registered by that. Whatever is not seen here is seen by the task, before its first
 * row.
 */
public final class WriterPlanningCheck {
    private static final Logger LOG = LoggerFactory.getLogger(WriterPlanningCheck.class);

    private WriterPlanningCheck() {}

    /**
     * The plan of a job that writes these columns.
     *
     * @throws ValidationException if they cannot be written, or the registry has nothing to write;
     *     with {@link PlanningMode#TRUE} also if it does not answer
     */
    public static byte[] run(
            RegistryWrittenMessage written, PlanningMode mode, PlanBuilder columns) {
        try {
            WriterMessage own = written.ofTable();
            boolean decided = written.choice().registers() && own != null;
            if (decided) {
                return columns.buildToWrite(own);
            }
            if (mode == PlanningMode.FALSE) {
                return columns.build();
            }
            RegistryConfig config = written.config();
            WrittenMessage found =
                    written.find(mode == PlanningMode.AUTO ? config.forPlanning() : config);
            return columns.buildToWrite(found.message());
        } catch (RegistryException e) {
            if (e.kind().concernsRecord() || e.kind() == RegistryException.Kind.RULES) {
                throw new ValidationException(e.getMessage(), e);
            }
            return unknown(mode, columns, e);
        } catch (IOException | SchemaException e) {
            throw new ValidationException(e.getMessage(), e);
        } catch (IllegalArgumentException e) {
            return unknown(mode, columns, e); // files of TLS that only the tasks have
        }
    }

    private static byte[] unknown(PlanningMode mode, PlanBuilder columns, Exception why) {
        if (mode == PlanningMode.TRUE) {
            throw new ValidationException(
                    "Option 'validate-at-planning' is true, but there is nothing to compare the"
                            + " columns with: "
                            + why.getMessage(),
                    why);
        }
        LOG.warn("columns are compared with the schema by the task only: {}", why.getMessage());
        return columns.build();
    }
}
