package dev.sluice.flink.registry;

import java.nio.charset.StandardCharsets;

/** Percent-encodes path segments from UTF-8 (H3): {@code a/b.proto} is {@code a%2Fb.proto}. */
final class RequestPath {
    private static final String HEX = "0123456789ABCDEF";
    private static final String PLAIN = "-._~@:!$&'()*+,;=";

    private RequestPath() {}

    static String segment(String text) {
        StringBuilder encoded = new StringBuilder(text.length() + 16);
        for (byte octet : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (octet & 0xff);
            if (isPlain(c)) {
                encoded.append(c);
            } else {
                encoded.append('%').append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 15));
            }
        }
        return encoded.toString();
    }

    private static boolean isPlain(char c) {
        return c >= 'a' && c <= 'z'
                || c >= 'A' && c <= 'Z'
                || c >= '0' && c <= '9'
                || PLAIN.indexOf(c) >= 0;
    }
}
