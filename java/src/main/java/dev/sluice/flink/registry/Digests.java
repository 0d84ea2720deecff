package dev.sluice.flink.registry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.UUID;

/** Hashes that stand for configs and schema texts, and the one that is a schema's GUID. */
final class Digests {
    private Digests() {}

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /** Each part goes in with its length, so that no two lists run together. */
    static void add(MessageDigest digest, String part) {
        byte[] text = part.getBytes(StandardCharsets.UTF_8);
        digest.update(ByteBuffer.allocate(4).putInt(text.length).array());
        digest.update(text);
    }

    /**
     * The GUID that a registry gives to a schema without metadata and rules (W17); null where MD5
     * is forbidden or a reference is incomplete.
     */
    static UUID guid(String text, List<Reference> references) {
        MessageDigest md5;
        try {
            md5 = MessageDigest.getInstance("MD5");
        } catch (NoSuchAlgorithmException e) {
            return null; // a hardened Java
        }
        md5.update(text.getBytes(StandardCharsets.UTF_8));
        for (Reference reference : references) {
            if (!reference.isComplete()) {
                return null;
            }
            md5.update(reference.name().getBytes(StandardCharsets.UTF_8));
            md5.update(reference.subject().getBytes(StandardCharsets.UTF_8));
            md5.update(ByteBuffer.allocate(4).putInt(reference.version()).array());
        }
        ByteBuffer digest = ByteBuffer.wrap(md5.digest());
        return new UUID(digest.getLong(), digest.getLong());
    }
}
