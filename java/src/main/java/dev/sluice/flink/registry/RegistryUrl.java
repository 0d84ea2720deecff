package dev.sluice.flink.registry;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One registry address, cut into the part that may be shown and the user info, which may not.
 *
 * <p>The user info is cut off by hand, before any URI class sees it: it is not percent-decoded (C7)
 * and may hold characters that a URI may not, and an error message must never quote it.
 */
final class RegistryUrl {
    private final String address; // scheme, host, port, path; no user info, no trailing slash
    private final String userInfo; // verbatim, or null

    private RegistryUrl(String address, String userInfo) {
        this.address = address;
        this.userInfo = userInfo;
    }

    /**
     * The addresses of a comma separated list with blanks around them (C17).
     *
     * @throws IllegalArgumentException if one is no http or https URL, or the list is empty
     */
    static List<RegistryUrl> list(String urls) {
        List<RegistryUrl> list = new ArrayList<>();
        for (String url : urls.split(",")) {
            if (!url.isBlank()) {
                list.add(read(url.trim(), list.size() + 1));
            }
        }
        if (list.isEmpty()) {
            throw new IllegalArgumentException("the list of registry URLs is empty");
        }
        return List.copyOf(list);
    }

    private static RegistryUrl read(String url, int position) {
        int start = url.indexOf("://") + 3;
        String scheme = url.substring(0, Math.max(start - 3, 0)).toLowerCase(Locale.ROOT);
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw invalid(position, "it must start with http:// or https://");
        }
        int end = start;
        while (end < url.length() && "/?#".indexOf(url.charAt(end)) < 0) {
            end++;
        }
        int at = url.lastIndexOf('@', end - 1);
        String userInfo = at < start ? null : url.substring(start, at);
        String address = scheme + "://" + url.substring(Math.max(start, at + 1));
        URI uri;
        try {
            uri = new URI(address);
        } catch (URISyntaxException e) {
            throw invalid(position, "it is malformed"); // the cause would quote it
        }
        if (uri.getHost() == null || uri.getRawQuery() != null || uri.getRawFragment() != null) {
            throw invalid(position, "it must be host, optional port, optional path");
        }
        String trimmed =
                address.endsWith("/") ? address.substring(0, address.length() - 1) : address;
        return new RegistryUrl(trimmed, userInfo);
    }

    /** Names the place in the list, not the text: a stray comma or slash may lie in a password. */
    private static IllegalArgumentException invalid(int position, String reason) {
        return new IllegalArgumentException(
                "registry URL number " + position + " is invalid: " + reason);
    }

    /** This address with {@code path}, which starts with a slash and is encoded already. */
    URI resolve(String path) {
        return URI.create(address + path);
    }

    /** {@code user:password} as the URL holds it, or null. */
    String userInfo() {
        return userInfo;
    }

    /** The address without user info. */
    @Override
    public String toString() {
        return address;
    }
}
