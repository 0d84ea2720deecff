package dev.sluice.flink.testregistry;

import java.time.Duration;

/**
 * What happens to one request instead of, or on the way to, its proper answer.
 *
 * @param status of the answer, where the fault has one
 * @param text a body or a redirect's target
 * @param delay before the proper answer
 */
public record Fault(Kind kind, int status, String text, Duration delay) {
    enum Kind {
        /** An error answer in JSON. */
        ERROR,
        /** Any other body, such as a proxy's page. */
        BODY,
        REDIRECT,
        SLOW,
        /** Headers and half of the body, then silence until the registry stops. */
        STALLED_BODY,
        /** Headers and half of the body, then the connection closes. */
        CUT_BODY,
        /** The connection closes without an answer. */
        CUT
    }

    public static Fault error(int status, int code) {
        String body = "{\"error_code\":" + code + ",\"message\":\"injected\"}";
        return new Fault(Kind.ERROR, status, body, Duration.ZERO);
    }

    public static Fault html(int status) {
        String page = "<html><body>Bad gateway</body></html>";
        return new Fault(Kind.BODY, status, page, Duration.ZERO);
    }

    public static Fault body(int status, String body) {
        return new Fault(Kind.BODY, status, body, Duration.ZERO);
    }

    public static Fault redirect(String target) {
        return new Fault(Kind.REDIRECT, 302, target, Duration.ZERO);
    }

    public static Fault slow(Duration delay) {
        return new Fault(Kind.SLOW, 0, "", delay);
    }

    public static Fault stalledBody() {
        return new Fault(Kind.STALLED_BODY, 200, "", Duration.ZERO);
    }

    public static Fault cutBody() {
        return new Fault(Kind.CUT_BODY, 200, "", Duration.ZERO);
    }

    public static Fault cut() {
        return new Fault(Kind.CUT, 0, "", Duration.ZERO);
    }
}
