package dev.sluice.flink.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * Contenders on their way to the start. With a payload of the project each has to arrive there;
 * with one that the user gives, who cannot open it or disagrees about it is left out, with a word.
 *
 * @param <T> what a contender does
 */
final class Entrants<T> {

    /** Throws if the contender does something else than the reference. */
    interface Check<T> {
        void require(String name, T contender) throws Exception;
    }

    private final boolean allAreNeeded;
    private final Map<String, T> opened = new LinkedHashMap<>();

    Entrants(Payload payload) {
        allAreNeeded = Payloads.isKnown(payload.name());
    }

    void add(String name, Callable<T> opener) throws Exception {
        try {
            opened.put(name, opener.call());
        } catch (Exception e) {
            leaveOut(name, e);
        }
    }

    Map<String, T> verified(Check<T> check) throws Exception {
        Map<String, T> verified = new LinkedHashMap<>();
        for (Map.Entry<String, T> each : opened.entrySet()) {
            try {
                check.require(each.getKey(), each.getValue());
                verified.put(each.getKey(), each.getValue());
            } catch (Exception e) {
                leaveOut(each.getKey(), e);
            }
        }
        return verified;
    }

    private void leaveOut(String name, Exception why) throws Exception {
        if (allAreNeeded) {
            throw why;
        }
        System.err.println("bench: " + name + " is left out: " + why);
    }
}
