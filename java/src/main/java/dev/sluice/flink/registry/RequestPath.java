package dev.sluice.flink.registry;

import java.nio.charset.StandardCharsets;

/** Percent-encodes from UTF-8 (H3): {@code a/b.proto} is {@code a%2Fb.proto}. */
final class RequestPath {
    private static final String HEX = "0123456789ABCDEF";
    private static final String PLAIN = "-._~@:!$&'()*+,;=";
    private static final String PLAIN_IN_QUERY = "-._~:";

    private RequestPath() {}

    /** One segment of a path. */
    static String segment(String text) {
        return encoded(text, PLAIN);
    }

    /** The value of a query parameter; servers take a bare plus sign there for a blank. */
    static String parameter(String text) {
        return encoded(text, PLAIN_IN_QUERY);
    }

    private static String encoded(String text, String plain) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (isPlain(c, plain)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(char c, String plain) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || plain.indexOf(c) >= 0;
    }
}
