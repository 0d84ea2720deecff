package dev.sluice.flink.testregistry;

import com.sun.net.httpserver.Headers;

import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * One request as it came in.
 *
 * @param target path and query, still encoded
 */
public record Request(String method, String target, Headers headers, String body) {
    /** A request to a proxy names scheme and host as well; they do not count. */
    static Request of(String method, URI uri, Headers headers, String body) {
        String query = uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery();
        return new Request(method, uri.getRawPath() + query, headers, body);
    }

    /** The decoded segments of the path. */
    List<String> segments() {
        List<String> segments = new ArrayList<>();
        for (String segment : target.split("\\?", 2)[0].substring(1).split("/", -1)) {
            segments.add(decode(segment.replace("+", "%2B")));
        }
        return segments;
    }

    /** The query parameter, or null. */
    String parameter(String name) {
        List<String> values = parameters(name);
        return values.isEmpty() ? null : values.get(0);
    }

    /** The values of a query parameter that may be repeated. */
    List<String> parameters(String name) {
        List<String> values = new ArrayList<>();
        String[] parts = target.split("\\?", 2);
        for (String pair : parts.length == 1 ? new String[0] : parts[1].split("&")) {
            String[] sides = pair.split("=", 2);
            if (decode(sides[0]).equals(name)) {
                values.add(sides.length == 1 ? "" : decode(sides[1]));
            }
        }
        return values;
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(parameter(name));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
