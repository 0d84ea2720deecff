package dev.sluice.flink.mapping;

import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;

import org.apache.flink.table.types.logical.RowType;

/** A column of the table: a profile, and what decides there about absent fields. */
enum Rules {
    CONFLUENT("CONFLUENT", Profile.CONFLUENT, false, false),
    FLINK("FLINK", Profile.FLINK, false, false),
    FLINK_PROTO3("FLINK, proto3 root", Profile.FLINK, false, true),
    FLINK_DEFAULTS("FLINK, `read-default-values`", Profile.FLINK, true, true);

    final String title;
    private final Profile profile;
    private final boolean readDefaults;
    private final boolean readSimpleDefaults;

    Rules(String title, Profile profile, boolean readDefaults, boolean readSimpleDefaults) {
        this.title = title;
        this.profile = profile;
        this.readDefaults = readDefaults;
        this.readSimpleDefaults = readSimpleDefaults;
    }

    byte[] plan(RowType row) {
        return new PlanBuilder(row, profile, Framing.REGISTRY)
                .readDefaults(readDefaults, readSimpleDefaults)
                .build();
    }
}
