package dev.sluice.flink.format;

import java.util.Locale;

/** Values of the option {@code validate-at-planning}. */
public enum PlanningMode {
    /** The registry is asked once, briefly; if it does not answer, a WARN says so. */
    AUTO,
    /** The registry must answer. */
    TRUE,
    /** The registry is not asked before the job runs. */
    FALSE;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
