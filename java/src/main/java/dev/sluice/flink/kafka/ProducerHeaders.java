package dev.sluice.flink.kafka;

/**
 * Which headers with schema ids the records of one producer get. Knows no class of Kafka; whoever
 * does, an interceptor or a serialization schema, asks for each record and puts them.
 *
 * <p>The first record binds a side to the format that made its payload: after that a record costs
 * one compare. A side that is not made by such a format stays without headers for good. Belongs to
 * the thread that sends.
 */
public final class ProducerHeaders {
    /** Name of the header of keys (W14). */
    public static final String KEY = Role.KEY.header;

    /** Name of the header of values. */
    public static final String VALUE = Role.VALUE.header;

    private static volatile boolean areOpened;

    private final Side keys = new Side();
    private final Side values = new Side();

    public ProducerHeaders() {
        areOpened = true;
    }

    /** Whether there has been a producer that puts headers in this class loader. */
    static boolean areOpened() {
        return areOpened;
    }

    /** The header that names the schema of this key; null for none. Shared, not to be changed. */
    public byte[] ofKey(Object key) {
        return keys.header(key);
    }

    /** The same of a value; a deletion has none (W3). */
    public byte[] ofValue(Object value) {
        return values.header(value);
    }

    private static final class Side {
        private PayloadHeader bound; // null until it is known
        private boolean isWithout;

        private byte[] header(Object payload) {
            if (payload == null || isWithout) {
                return null;
            }
            if (bound == null) {
                bound = PayloadHeader.find(payload);
                isWithout = bound == null;
            }
            return bound != null && bound.take(payload) ? bound.value() : null;
        }
    }
}
