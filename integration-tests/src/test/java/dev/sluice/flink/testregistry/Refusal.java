package dev.sluice.flink.testregistry;

/** An error answer in the making: HTTP status, {@code error_code} and message (5.7). */
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    final int status;
    final int code;

    private Refusal(int status, int code, String message) {
        super(message);
        this.status = status;
        this.code = code;
    }

    static Refusal unknownSubject(String subject) {
        return new Refusal(404, 40401, "Subject '" + subject + "' not found.");
    }

    static Refusal unknownVersion(String version) {
        return new Refusal(404, 40402, "Version " + version + " not found.");
    }

    static Refusal unknownSchema(String schema) {
        return new Refusal(404, 40403, "Schema " + schema + " not found");
    }

    static Refusal invalidSchema(String reason) {
        return new Refusal(422, 42201, "Invalid schema: " + reason);
    }

    static Refusal invalidVersion(String version) {
        return new Refusal(422, 42202, "The specified version '" + version + "' is not valid");
    }

    static Refusal unauthorized() {
        return new Refusal(401, 40101, "Unauthorized");
    }

    /** What the HTTP layer refuses carries the status as its code. */
    static Refusal http(int status, String reason) {
        return new Refusal(status, status, "HTTP " + status + " " + reason);
    }
}
