package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;

import java.util.HashMap;
import java.util.Map;

/**
 * Collects the texts behind a schema's references, depth first (H15).
 *
 * <p>The first file met under a name wins, so a diamond is fetched once and a cycle ends: whether
 * the imports themselves form a cycle is for the linker to say. An unqualified subject is taken
 * from the context of the subject that refers to it.
 */
final class ReferenceWalk {
    private static final int FILES_MAX = 1000;

    /** Where versions of subjects come from. */
    interface Versions {
        /**
         * @param wanted names the schema in messages
         */
        RegisteredSchema version(String subject, int version, String wanted)
                throws RegistryException;
    }

    private final Versions versions;
    private final String root; // names the root schema in messages
    private final Map<String, RegisteredSchema> files = new HashMap<>(); // null while fetching

    private ReferenceWalk(Versions versions, String root) {
        this.versions = versions;
        this.root = root;
    }

    /**
     * By import path, everything that {@code schema} refers to, directly or not.
     *
     * @param subject of {@code schema}, for its context; null if not known
     */
    static Map<String, RegisteredSchema> files(
            Versions versions, RegisteredSchema schema, String subject, String root)
            throws RegistryException {
        ReferenceWalk walk = new ReferenceWalk(versions, root);
        walk.visit(schema, subject);
        return walk.files;
    }

    private void visit(RegisteredSchema schema, String subject) throws RegistryException {
        for (Reference reference : schema.references()) {
            if (!reference.isComplete()) {
                throw new RegistryException(
                        Kind.BAD_SCHEMA, root + " has an incomplete " + reference);
            }
            if (!files.containsKey(reference.name())) {
                follow(reference, inContextOf(subject, reference.subject()));
            }
        }
    }

    private void follow(Reference reference, String subject) throws RegistryException {
        if (files.size() == FILES_MAX) {
            throw new RegistryException(
                    Kind.BAD_SCHEMA, root + " has more than " + FILES_MAX + " references");
        }
        files.put(reference.name(), null);
        RegisteredSchema file = fetch(reference, subject);
        if (!file.type().equals("PROTOBUF")) {
            throw new RegistryException(
                    Kind.OTHER_TYPE,
                    root + ": " + reference + " has the schema type " + file.type());
        }
        files.put(reference.name(), file);
        visit(file, subject);
    }

    private RegisteredSchema fetch(Reference reference, String subject) throws RegistryException {
        String wanted = reference + " of " + root;
        try {
            return versions.version(subject, reference.version(), wanted);
        } catch (RegistryException e) {
            if (e.kind() != Kind.NOT_FOUND) {
                throw e;
            }
            throw new RegistryException(Kind.BAD_SCHEMA, e.errorCode(), e.getMessage(), e);
        }
    }

    /** {@code :.ctx:} of the referring subject before a subject that names no context (S5). */
    private static String inContextOf(String referring, String subject) {
        if (referring == null || !referring.startsWith(":.") || subject.startsWith(":.")) {
            return subject;
        }
        int end = referring.indexOf(':', 2);
        return end < 0 ? subject : referring.substring(0, end + 1) + subject;
    }
}
