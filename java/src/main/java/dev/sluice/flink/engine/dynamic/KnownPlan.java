package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.CodedInputStream;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.engine.RecordException;
import dev.sluice.flink.plan.Body;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Limits;
import dev.sluice.flink.plan.Plan;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.plan.SqlKind;

import java.io.IOException;

/** A plan of a version and with functions that this engine knows, and its bounds. */
final class KnownPlan {
    private static final int VERSION = 1;
    private static final int DEPTH_DEFAULT = 100;

    /** Converters nest as messages do, so the limit must be one that a thread's stack bears. */
    private static final int DEPTH_MAX = 200;

    private static final int BYTES_MAX = Integer.MAX_VALUE - 1024;

    /** Columns nest deeper in a plan than protobuf-java reads by default. */
    private static final int PLAN_DEPTH_MAX = 1000;

    private final Plan plan;

    private KnownPlan(Plan plan) {
        this.plan = plan;
    }

    /**
     * Reads the bytes of a plan.
     *
     * @throws RecordException {@code UNSUPPORTED_PLAN} or {@code MALFORMED_PLAN}
     */
    static KnownPlan read(byte[] bytes) throws RecordException {
        CodedInputStream in = CodedInputStream.newInstance(bytes);
        in.setRecursionLimit(PLAN_DEPTH_MAX);
        Plan plan;
        try {
            plan = Plan.parseFrom(in);
        } catch (IOException e) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the plan is no plan message", null, e);
        }
        return of(plan);
    }

    static KnownPlan of(Plan plan) throws RecordException {
        if (plan.getVersion() != VERSION) {
            throw unsupported("plan version " + plan.getVersion() + " is not known");
        }
        if (plan.getRequiredFeaturesCount() > 0) {
            throw unsupported("plan feature " + plan.getRequiredFeatures(0) + " is not known");
        }
        if (plan.getBody() != Body.PROTOBUF) {
            throw unsupported("record body " + plan.getBodyValue() + " is not known");
        }
        if (plan.getProfile() != Profile.CONFLUENT && plan.getProfile() != Profile.FLINK) {
            throw unsupported("profile " + plan.getProfileValue() + " is not known");
        }
        if (plan.getFraming() != Framing.BARE && plan.getFraming() != Framing.REGISTRY) {
            throw unsupported("framing " + plan.getFramingValue() + " is not known");
        }
        if (plan.getRow().getKind() != SqlKind.ROW) {
            throw new RecordException(
                    FailureCode.MALFORMED_PLAN, "the table row of the plan is not a ROW");
        }
        MetadataColumns.requireKnown(plan);
        KnownPlan known = new KnownPlan(plan);
        if (known.depthMax() < 0 || known.depthMax() > DEPTH_MAX) {
            String depth = Integer.toUnsignedString(known.depthMax());
            throw unsupported("a depth of " + depth + " is more than " + DEPTH_MAX);
        }
        return known;
    }

    private static RecordException unsupported(String reason) {
        return new RecordException(FailureCode.UNSUPPORTED_PLAN, reason);
    }

    Plan plan() {
        return plan;
    }

    /** Levels of messages and groups inside the root. */
    int depthMax() {
        Limits limits = plan.getLimits();
        return limits.getDepthMax() == 0 ? DEPTH_DEFAULT : limits.getDepthMax();
    }

    int recordBytesMax() {
        return bytes(plan.getLimits().getRecordBytesMax());
    }

    int rowBytesMax() {
        return bytes(plan.getLimits().getBatchBytesMax());
    }

    private static int bytes(long limit) {
        return limit == 0 || Long.compareUnsigned(limit, BYTES_MAX) > 0 ? BYTES_MAX : (int) limit;
    }
}
