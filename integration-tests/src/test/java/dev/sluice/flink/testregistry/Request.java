package dev.sluice.flink.testregistry;

import com.sun.net.httpserver.Headers;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * One request as it came in.
 *
 * @param target path and query, still encoded
 */
public record Request(String method, String target, Headers headers, String body) {
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
        Map<String, String> parameters = new HashMap<>();
        String[] parts = target.split("\\?", 2);
        for (String pair : parts.length == 1 ? new String[0] : parts[1].split("&")) {
            String[] sides = pair.split("=", 2);
            parameters.put(decode(sides[0]), sides.length == 1 ? "" : decode(sides[1]));
        }
        return parameters.get(name);
    }

    boolean flag(String name) {
        return Boolean.parseBoolean(parameter(name));
    }

    private static String decode(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }
}
