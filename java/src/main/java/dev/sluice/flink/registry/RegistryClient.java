package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaKey;

import java.io.IOException;
import java.util.Optional;
import java.util.SortedMap;

/**
 * The REST calls ({@code spec-registry} 5.2): a path for each question, and for each answer either
 * a schema or a {@link RegistryException} of the right kind. Caches nothing.
 */
final class RegistryClient {
    private final FailoverSender sender;

    RegistryClient(FailoverSender sender) {
        this.sender = sender;
    }

    /**
     * The schema that a record names.
     *
     * @param subject where to look an id up first (R4, H5); empty for the default context
     */
    RegisteredSchema schema(SchemaKey key, String subject) throws RegistryException {
        String path =
                key.isGuid()
                        ? "/schemas/guids/" + key.guid()
                        : "/schemas/ids/"
                                + key.id()
                                + "?fetchMaxId=false&subject="
                                + RequestPath.parameter(subject);
        return ask(path, key.toString());
    }

    /**
     * One version of a subject, also a deleted one: what was once referenced stays readable (H6).
     *
     * @param version a version number, or {@link Reference#LATEST}
     * @param wanted names the schema in messages
     */
    RegisteredSchema version(String subject, int version, String wanted) throws RegistryException {
        String number = version == Reference.LATEST ? "latest" : Integer.toString(version);
        String path =
                "/subjects/"
                        + RequestPath.segment(subject)
                        + "/versions/"
                        + number
                        + "?deleted=true";
        return ask(path, wanted);
    }

    /** The subject's latest version. */
    RegisteredSchema latest(String subject) throws RegistryException {
        return ask(
                "/subjects/" + RequestPath.segment(subject) + "/versions/latest",
                "the latest schema of subject '" + subject + "'");
    }

    /**
     * The subject's latest version, of those that have all these properties in their metadata. A
     * deleted one counts too, as Confluent's client has it.
     */
    RegisteredSchema latest(String subject, SortedMap<String, String> metadata)
            throws RegistryException {
        StringBuilder path =
                new StringBuilder("/subjects/")
                        .append(RequestPath.segment(subject))
                        .append("/metadata?");
        metadata.forEach(
                (key, value) ->
                        path.append("key=")
                                .append(RequestPath.parameter(key))
                                .append("&value=")
                                .append(RequestPath.parameter(value))
                                .append('&'));
        return ask(
                path.append("deleted=true").toString(),
                "the latest schema of subject '" + subject + "' with metadata " + metadata);
    }

    /**
     * The schema as a base64 descriptor (H10), from a registry that knows that format; else empty.
     *
     * @param schema with a text that cannot be read
     */
    Optional<String> serialized(RegisteredSchema schema, String wanted) throws RegistryException {
        String path = schema.path() + (schema.path().contains("?") ? "&" : "?");
        RegisteredSchema answer;
        try {
            answer = ask(path + "format=serialized", wanted);
        } catch (RegistryException e) {
            if (e.kind() == Kind.NOT_FOUND || e.kind() == Kind.UNEXPECTED) {
                return Optional.empty(); // it does not like the question
            }
            throw e;
        }
        // "Latest" may be another one by now.
        boolean same = answer.origin().id().equals(schema.origin().id());
        boolean changed = !answer.text().equals(schema.text());
        return same && changed ? Optional.of(answer.text()) : Optional.empty();
    }

    /**
     * Registers a schema under a subject; nothing happens if it is there already (H7).
     *
     * @return its id, at least
     * @throws RegistryException {@code REJECTED} with the registry's own words
     */
    RegisteredId register(String subject, SubmittedSchema schema) throws RegistryException {
        String path =
                "/subjects/"
                        + RequestPath.segment(subject)
                        + "/versions?normalize="
                        + schema.normalizes();
        String wanted = "a place for " + schema.name() + " under subject '" + subject + "'";
        Answer answer = sender.post(path, schema.json(), wanted);
        return registeredId(answer, wanted);
    }

    /**
     * The version of a subject that holds a schema.
     *
     * @param deleted whether a deleted one counts
     * @throws RegistryException {@code NOT_FOUND} if there is none
     */
    RegisteredId lookUp(String subject, SubmittedSchema schema, boolean deleted)
            throws RegistryException {
        String path =
                "/subjects/"
                        + RequestPath.segment(subject)
                        + "?normalize="
                        + schema.normalizes()
                        + "&deleted="
                        + deleted;
        String wanted = schema.name() + " under subject '" + subject + "'";
        return registeredId(sender.post(path, schema.json(), wanted), wanted);
    }

    private static RegisteredId registeredId(Answer answer, String wanted)
            throws RegistryException {
        if (answer.status() == 409 || answer.status() == 422) {
            ErrorAnswer error = ErrorAnswer.readWhole(answer);
            throw new RegistryException(
                    Kind.REJECTED,
                    error.code(),
                    "registry " + answer.url() + " has not " + wanted + ": " + error,
                    null);
        }
        if (answer.status() != 200) {
            throw refusal(answer, wanted);
        }
        try {
            return RegisteredId.read(answer);
        } catch (IOException e) {
            throw unreadable(answer, wanted, e);
        }
    }

    private static RegistryException unreadable(Answer answer, String wanted, IOException e) {
        String message = "registry " + answer.url() + " gave for " + wanted + " no schema";
        return new RegistryException(Kind.UNEXPECTED, 0, message + ": " + e.getMessage(), e);
    }

    private RegisteredSchema ask(String path, String wanted) throws RegistryException {
        Answer answer = sender.get(path, wanted);
        if (answer.status() != 200) {
            throw refusal(answer, wanted);
        }
        try {
            return RegisteredSchemaReader.read(answer, path);
        } catch (IOException e) {
            throw unreadable(answer, wanted, e);
        }
    }

    /**
     * R8. A 404 without a code of its own family comes from a wrong path or a proxy: taken for "no
     * such schema", it would let an error policy skip every record.
     *
     * <p>This leaves out the statuses that {@link FailoverSender} has retried in vain.
     */
    private static RegistryException refusal(Answer answer, String wanted) {
        ErrorAnswer error = ErrorAnswer.read(answer);
        String registry = "registry " + answer.url();
        switch (answer.status()) {
            case 401:
            case 403:
                return new RegistryException(
                        Kind.REFUSED,
                        error.code(),
                        registry + " refuses access to " + wanted + ": " + error,
                        null);
            case 404:
                return error.code() / 100 == 404
                        ? new RegistryException(
                                Kind.NOT_FOUND,
                                error.code(),
                                registry + " does not have " + wanted + ": " + error,
                                null)
                        : new RegistryException(
                                Kind.UNEXPECTED,
                                error.code(),
                                registry
                                        + " is no registry, or its path is wrong (asked for "
                                        + wanted
                                        + "): "
                                        + error,
                                null);
            case 301:
            case 302:
            case 303:
            case 307:
            case 308:
                return new RegistryException(
                        Kind.UNEXPECTED,
                        registry
                                + " redirects to another address, which is not followed with"
                                + " credentials or extra headers: use the final URL (HTTP "
                                + answer.status()
                                + " for "
                                + wanted
                                + ")");
            default:
                return new RegistryException(
                        Kind.UNEXPECTED,
                        error.code(),
                        registry + " did not give " + wanted + ": " + error,
                        null);
        }
    }
}
