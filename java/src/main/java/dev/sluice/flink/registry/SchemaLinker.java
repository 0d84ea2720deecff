package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.RecentlyUsed;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.WriterSchema;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.TreeMap;

/**
 * From a schema as the registry gave it to a linked one: refuses other types and rules, collects
 * references, asks for descriptors where a text cannot be read.
 *
 * <p>Schemas of equal content (all texts and import names) are linked once, whatever ids and
 * subjects they have. Referenced versions are immutable and kept as well.
 */
final class SchemaLinker {
    /**
     * Characters of the texts of all schemas that one cache keeps. Linked, a field takes twenty
     * times the memory of its text.
     */
    static final long TEXT_MAX = 4 << 20;

    private final RegistryClient client;
    private final ReferenceWalk.Versions versions;
    private final RecentlyUsed<String, WriterSchema> byContent; // by a hash; guarded by itself

    SchemaLinker(RegistryClient client, ReferenceWalk.Versions versions, int schemasMax) {
        this.client = client;
        this.versions = versions;
        byContent = new RecentlyUsed<>(schemasMax, TEXT_MAX);
    }

    /**
     * @param subject whose context unqualified references are in (H15); null for the default one
     * @param wanted names the schema in messages
     */
    WriterSchema link(RegisteredSchema root, String subject, String wanted)
            throws RegistryException {
        if (!root.type().equals("PROTOBUF")) {
            throw new RegistryException(
                    Kind.OTHER_TYPE,
                    wanted + " has the schema type " + root.type() + ", not PROTOBUF");
        }
        if (!root.readRules().isEmpty()) {
            throw new RegistryException(
                    Kind.RULES,
                    wanted
                            + " has rules to run on read, which is not supported: "
                            + root.readRules());
        }
        Map<String, RegisteredSchema> files = ReferenceWalk.files(versions, root, subject, wanted);
        Map<String, String> imports = new TreeMap<>();
        files.forEach((name, file) -> imports.put(name, file.text()));
        try {
            return linkOnce(root.text(), imports);
        } catch (SchemaException e) {
            if (e.kind() == SchemaException.Kind.SYNTAX) {
                WriterSchema schema = linkDescriptors(root, files, imports, wanted);
                if (schema != null) {
                    return schema;
                }
            }
            String at = root.subject() == null ? "" : " (subject '" + root.subject() + "')";
            String message = wanted + at + " cannot be linked: " + e.getMessage();
            throw new RegistryException(Kind.BAD_SCHEMA, 0, message, e);
        }
    }

    /**
     * Links with the registry's own descriptor in place of each text that cannot be read (H9 to
     * H11); null if it has none, or they do not help.
     */
    private WriterSchema linkDescriptors(
            RegisteredSchema root,
            Map<String, RegisteredSchema> files,
            Map<String, String> imports,
            String wanted)
            throws RegistryException {
        String text = readable(root, wanted);
        boolean helped = !text.equals(root.text());
        for (Map.Entry<String, RegisteredSchema> file : files.entrySet()) {
            String name = file.getKey();
            String importText = readable(file.getValue(), "import '" + name + "' of " + wanted);
            helped |= !importText.equals(imports.put(name, importText));
        }
        try {
            return helped ? linkOnce(text, imports) : null;
        } catch (SchemaException e) {
            return null; // the first error says more to who wrote the text
        }
    }

    private String readable(RegisteredSchema file, String wanted) throws RegistryException {
        return WriterSchema.isReadable(file.text())
                ? file.text()
                : client.serialized(file, wanted).orElse(file.text());
    }

    private WriterSchema linkOnce(String text, Map<String, String> imports) throws SchemaException {
        String content = hash(text, imports);
        synchronized (byContent) {
            WriterSchema known = byContent.get(content);
            if (known != null) {
                return known;
            }
        }
        WriterSchema schema = WriterSchema.of(text, imports);
        synchronized (byContent) {
            WriterSchema first = byContent.get(content);
            if (first != null) {
                return first;
            }
            byContent.put(content, schema, schema.textLength());
            return schema;
        }
    }

    private static String hash(String text, Map<String, String> imports) {
        MessageDigest sha = Digests.sha256();
        Digests.add(sha, text);
        imports.forEach(
                (name, file) -> {
                    Digests.add(sha, name);
                    Digests.add(sha, file);
                });
        return new String(sha.digest(), StandardCharsets.ISO_8859_1);
    }
}
