package dev.sluice.flink.registry;

/** What one URL answered to one request: any status, and the body up to its size limit. */
final class Answer {
    private final RegistryUrl url;
    private final int status;
    private final String location;
    private final byte[] body; // null if it was longer than the limit

    Answer(RegistryUrl url, int status, String location, byte[] body) {
        this.url = url;
        this.status = status;
        this.location = location;
        this.body = body;
    }

    RegistryUrl url() {
        return url;
    }

    int status() {
        return status;
    }

    /** Where a redirect points, or null. */
    String location() {
        return location;
    }

    /** The body, or null if it was longer than {@link Transport#BODY_BYTES_MAX}. */
    byte[] body() {
        return body;
    }
}
