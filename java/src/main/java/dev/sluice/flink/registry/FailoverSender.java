package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Sends a request until some URL gives a final answer (C14 to C16).
 *
 * <p>Each URL gets one attempt and its retries; then the next one's turn comes, wrapping, each once
 * per request. The URL that answered is asked first next time. Final is every answer but 408, 429,
 * 500, 502, 503 and 504. Shared by all threads that use one config.
 */
final class FailoverSender {
    private static final Logger LOG = LoggerFactory.getLogger(FailoverSender.class);
    private static final String CONTENT_TYPE = "application/vnd.schemaregistry.v1+json";

    private final RegistryConfig config;
    private final Transport transport;
    private final List<RegistryUrl> urls;
    private final AtomicInteger preferred; // index of the URL to ask first
    private final TokenCache tokens; // null if no tokens are fetched

    FailoverSender(RegistryConfig config, Transport transport) {
        this.config = config;
        this.transport = transport;
        this.urls = config.urlList();
        this.tokens = tokens(config, transport);
        boolean random = config.startsAnywhere();
        preferred =
                new AtomicInteger(random ? ThreadLocalRandom.current().nextInt(urls.size()) : 0);
    }

    /** A header of the user's own needs no token beside it. */
    private static TokenCache tokens(RegistryConfig config, Transport transport) {
        OAuthGrant grant = config.credentials().grant();
        if (grant == null || config.requestHeaders().containsKey("Authorization")) {
            return null;
        }
        int retries = config.retryPolicy().retries();
        TokenEndpoint endpoint = new TokenEndpoint(grant, transport, retries);
        return new TokenCache(endpoint::fetch, grant.bufferSeconds(), System::currentTimeMillis);
    }

    /**
     * GETs {@code path}, encoded and starting with a slash.
     *
     * @param wanted names what is asked for in messages, such as {@code schema id 7}
     * @throws RegistryException with the last error of each URL if none gave a final answer, or if
     *     there is no token to ask with
     */
    Answer get(String path, String wanted) throws RegistryException {
        return send(path, null, wanted);
    }

    /**
     * POSTs {@code body} likewise. Asked again after a failure: what is posted twice counts once.
     */
    Answer post(String path, byte[] body, String wanted) throws RegistryException {
        return send(path, body, wanted);
    }

    private Answer send(String path, byte[] body, String wanted) throws RegistryException {
        List<String> failures = new ArrayList<>();
        Failure last = null;
        int index = preferred.get();
        for (int tried = 0; tried < urls.size(); tried++) {
            try {
                return askOne(urls.get(index), path, body);
            } catch (Failure e) {
                last = e;
                failures.add(e.getMessage());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RegistryException(
                        Kind.INTERRUPTED, 0, "interrupted while waiting for " + wanted, e);
            }
            int next = (index + 1) % urls.size();
            preferred.compareAndSet(index, next);
            if (tried + 1 < urls.size()) {
                LOG.warn("{}; trying {}", last.getMessage(), urls.get(next));
            }
            index = next;
        }
        String message = "no registry gave " + wanted + ": " + String.join("; ", failures);
        throw new RegistryException(last.kind, last.errorCode, message, last.getCause());
    }

    private Answer askOne(RegistryUrl url, String path, byte[] body)
            throws Failure, RegistryException, InterruptedException {
        if (tokens == null) {
            return askOne(url, path, body, config.credentials().authorization(url));
        }
        AccessToken ready = tokens.ready();
        AccessToken token = tokens.token();
        Answer answer = askOne(url, path, body, "Bearer " + token.text());
        if (answer.status() != 401 || token != ready) {
            return answer;
        }
        LOG.info("{} refuses a token before it is due; fetching another", url);
        tokens.drop(token);
        return askOne(url, path, body, "Bearer " + tokens.token().text());
    }

    /** One attempt and its retries. */
    private Answer askOne(RegistryUrl url, String path, byte[] body, String authorization)
            throws Failure, InterruptedException {
        Map<String, String> headers = headers(authorization);
        for (int retry = 0; ; retry++) {
            Failure failure;
            try {
                Answer answer = transport.ask(url, path, headers, body);
                if (!RetryPolicy.isRetriable(answer.status())) {
                    return answer;
                }
                failure = Failure.of(answer);
            } catch (IOException e) {
                failure = Failure.of(url, e);
            }
            if (retry == config.retryPolicy().retries()) {
                throw failure;
            }
            LOG.debug("{}; asking again", failure.getMessage());
            config.retryPolicy().pause(retry);
        }
    }

    /** H1, the credentials, and above all what the user set. */
    private Map<String, String> headers(String authorization) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        headers.put("Content-Type", CONTENT_TYPE);
        headers.put(
                "Accept", CONTENT_TYPE + ", application/vnd.schemaregistry+json, application/json");
        headers.put("Confluent-Accept-Unknown-Properties", "true");
        headers.put("Confluent-Client-Version", "java/sluice-flink");
        if (authorization != null) {
            headers.put("Authorization", authorization);
        }
        headers.putAll(config.requestHeaders());
        return headers;
    }

    /** One URL's last error; never leaves this class. */
    private static final class Failure extends Exception {
        private static final long serialVersionUID = 1L;
        private final Kind kind;
        private final int errorCode;

        private Failure(Kind kind, int errorCode, String message, Throwable cause) {
            super(message, cause, false, false);
            this.kind = kind;
            this.errorCode = errorCode;
        }

        static Failure of(Answer answer) {
            ErrorAnswer error = ErrorAnswer.read(answer);
            Kind kind = answer.status() == 429 ? Kind.THROTTLED : Kind.UNAVAILABLE;
            return new Failure(kind, error.code(), answer.url() + " answered " + error, null);
        }

        static Failure of(RegistryUrl url, IOException e) {
            return new Failure(Kind.UNREACHABLE, 0, url + " " + ConnectionTrouble.describe(e), e);
        }
    }
}
