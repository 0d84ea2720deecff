package dev.sluice.flink.testregistry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * What is registered: type, text, references and, as JSON, metadata and a rule set. Equal
 * submissions share one id in all subjects of a context (H7).
 *
 * @param metadata null for none
 * @param ruleSet null for none
 * @param descriptor what {@code format=serialized} answers in place of the text (H10), in base64;
 *     null for a registry that does not know that format
 */
public record Submission(
        String type,
        String text,
        List<Reference> references,
        Map<String, Object> metadata,
        Map<String, Object> ruleSet,
        String descriptor) {

    /** Null members are left out of the JSON, as a careless registry would. */
    public record Reference(String name, String subject, Integer version) {}

    public static Submission protobuf(String text, Reference... references) {
        return new Submission("PROTOBUF", text, List.of(references), null, null, null);
    }

    public static Submission ofType(String type, String text) {
        return new Submission(type, text, List.of(), null, null, null);
    }

    public Submission withRuleSet(Map<String, Object> rules) {
        return new Submission(type, text, references, metadata, rules, descriptor);
    }

    /**
     * @param properties the member {@code properties} of the metadata
     */
    public Submission withMetadata(Map<String, Object> properties) {
        Map<String, Object> metadata = Map.of("properties", properties);
        return new Submission(type, text, references, metadata, ruleSet, descriptor);
    }

    public Submission withDescriptor(String base64) {
        return new Submission(type, text, references, metadata, ruleSet, base64);
    }

    boolean hasProperty(String name, String value) {
        return metadata != null
                && metadata.get("properties") instanceof Map<?, ?> properties
                && value.equals(properties.get(name));
    }

    /** W17, in a form of our own where there are metadata or rules: nobody can recompute that. */
    public UUID guid() {
        MessageDigest md5;
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
        md5.update(text.getBytes(StandardCharsets.UTF_8));
        for (Reference reference : references) {
            md5.update(String.valueOf(reference.name).getBytes(StandardCharsets.UTF_8));
            md5.update(String.valueOf(reference.subject).getBytes(StandardCharsets.UTF_8));
            int version = reference.version == null ? 0 : reference.version;
            md5.update(ByteBuffer.allocate(4).putInt(version).array());
        }
        for (Map<String, Object> part : Arrays.asList(metadata, ruleSet)) {
            if (part != null) {
                md5.update((byte) 1);
                md5.update(Json.write(part).getBytes(StandardCharsets.UTF_8));
            }
        }
        ByteBuffer digest = ByteBuffer.wrap(md5.digest());
        return new UUID(digest.getLong(), digest.getLong());
    }

    /** The members that all answers with a schema have; a type of AVRO is left out (H4). */
    Map<String, Object> members() {
        Map<String, Object> members = new LinkedHashMap<>();
        if (!type.equals("AVRO")) {
            members.put("schemaType", type);
        }
        members.put("schema", text);
        if (!references.isEmpty()) {
            members.put("references", references.stream().map(Submission::members).toList());
        }
        if (metadata != null) {
            members.put("metadata", metadata);
        }
        if (ruleSet != null) {
            members.put("ruleSet", ruleSet);
        }
        members.put("guid", guid().toString());
        return members;
    }

    private static Map<String, Object> members(Reference reference) {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("name", reference.name);
        members.put("subject", reference.subject);
        members.put("version", reference.version);
        members.values().removeIf(value -> value == null);
        return members;
    }

    /** The body of a register or look-up request; 42201 if it is none. */
    @SuppressWarnings("unchecked")
    static Submission read(Map<String, Object> body) {
        if (!(body.get("schema") instanceof String text) || text.isBlank()) {
            throw Refusal.invalidSchema("Empty schema");
        }
        List<Reference> references = new ArrayList<>();
        Object given = body.get("references");
        for (Object member : given == null ? List.of() : (List<Object>) given) {
            Map<String, Object> reference = (Map<String, Object>) member;
            Number version = (Number) reference.get("version");
            references.add(
                    new Reference(
                            (String) reference.get("name"),
                            (String) reference.get("subject"),
                            version == null ? null : version.intValue()));
        }
        Object type = body.get("schemaType");
        return new Submission(
                type == null ? "AVRO" : (String) type,
                text,
                references,
                (Map<String, Object>) body.get("metadata"),
                (Map<String, Object>) body.get("ruleSet"),
                null);
    }
}
