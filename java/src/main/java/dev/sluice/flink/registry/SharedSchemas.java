package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.ByteArrayOutputStream;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;

/**
 * The schemas and the connection that all open stores of one config share in this process.
 *
 * <p>{@link #LIVE} maps a hash of the whole config, credentials included, to the shared part and
 * holds it weakly: open stores hold it strongly, the last one to close ends it, and stores that
 * were dropped without closing leave it to the garbage collector. The hash keeps secrets out of a
 * static map.
 *
 * <p>Each key is fetched by one thread while the others wait for it. Ids and GUIDs are immutable,
 * so a schema stays for good (R9); a failure goes to those who waited and is then forgotten.
 */
final class SharedSchemas {
    private static final Map<String, WeakReference<SharedSchemas>> LIVE = new HashMap<>();

    private final String identity;
    private final Transport transport;
    private final RegistryClient client;
    private final Map<List<Object>, CompletableFuture<LinkedSchema>> schemas =
            new ConcurrentHashMap<>();
    private int stores; // guarded by LIVE

    private SharedSchemas(String identity, RegistryConfig config) {
        this.identity = identity;
        transport = new Transport(config);
        client = new RegistryClient(new FailoverSender(config, transport));
    }

    /** The shared part for {@code config}; each call wants one {@link #release}. */
    static SharedSchemas acquire(RegistryConfig config) {
        String identity = hash(config);
        synchronized (LIVE) {
            LIVE.values().removeIf(shared -> shared.get() == null);
            WeakReference<SharedSchemas> present = LIVE.get(identity);
            SharedSchemas shared = present == null ? null : present.get();
            if (shared == null) {
                shared = new SharedSchemas(identity, config);
                LIVE.put(identity, new WeakReference<>(shared));
            }
            shared.stores++;
            return shared;
        }
    }

    void release() {
        synchronized (LIVE) {
            stores--;
            if (stores > 0) {
                return;
            }
            LIVE.remove(identity);
        }
        transport.close();
    }

    /** Each part goes in with its length, so that no two lists run together. */
    private static String hash(RegistryConfig config) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        for (String part : config.identity()) {
            byte[] text = part.getBytes(StandardCharsets.UTF_8);
            bytes.writeBytes(ByteBuffer.allocate(4).putInt(text.length).array());
            bytes.writeBytes(text);
        }
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes.toByteArray());
            return new String(digest, StandardCharsets.ISO_8859_1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    LinkedSchema latest(String subject) throws RegistryException {
        return link(client.latest(subject), "the latest schema of subject '" + subject + "'", null);
    }

    LinkedSchema schema(SchemaKey name, String subject) throws RegistryException {
        List<Object> key = List.of(name, name.isGuid() ? "" : subject);
        while (true) {
            CompletableFuture<LinkedSchema> present = schemas.get(key);
            if (present == null) {
                CompletableFuture<LinkedSchema> own = new CompletableFuture<>();
                present = schemas.putIfAbsent(key, own);
                if (present == null) {
                    return fetch(key, name, subject, own);
                }
            }
            try {
                return present.get();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new RegistryException(
                        Kind.INTERRUPTED, 0, "interrupted while waiting for " + name, e);
            } catch (ExecutionException e) {
                RegistryException failure = failureForWaiter(e.getCause());
                if (failure.kind() != Kind.INTERRUPTED) {
                    throw failure;
                }
                // The fetching thread was cancelled, not this one: have a go ourselves.
            }
        }
    }

    /** An exception of the waiter's own, with its own stack trace. */
    private static RegistryException failureForWaiter(Throwable failure) {
        if (failure instanceof RegistryException) {
            RegistryException known = (RegistryException) failure;
            return new RegistryException(
                    known.kind(), known.errorCode(), known.getMessage(), known);
        }
        throw new IllegalStateException("another thread failed to fetch the schema", failure);
    }

    private LinkedSchema fetch(
            List<Object> key, SchemaKey name, String subject, CompletableFuture<LinkedSchema> own)
            throws RegistryException {
        Throwable failure = null;
        try {
            LinkedSchema schema = link(client.schema(name, subject), name.toString(), name);
            own.complete(schema);
            return schema;
        } catch (RegistryException | RuntimeException | Error e) {
            failure = e;
            throw e;
        } finally {
            if (failure != null) {
                schemas.remove(key, own); // first, so that who wakes up does not find it again
                own.completeExceptionally(failure);
            }
        }
    }

    /**
     * @param wanted names the schema in messages
     * @param asked what it was asked for by; null if by subject
     */
    private LinkedSchema link(RegisteredSchema root, String wanted, SchemaKey asked)
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
        Map<String, String> imports = ReferenceWalk.texts(client, root, wanted);
        try {
            return new LinkedSchema(
                    WriterSchema.of(root.text(), imports), origin(root.origin(), asked));
        } catch (SchemaException e) {
            String subject = root.subject() == null ? "" : " (subject '" + root.subject() + "')";
            String message = wanted + subject + " cannot be linked: " + e.getMessage();
            throw new RegistryException(Kind.BAD_SCHEMA, 0, message, e);
        }
    }

    /** What was asked for, and what the answer adds to it. */
    private static SchemaOrigin origin(SchemaOrigin answered, SchemaKey asked) {
        if (asked == null) {
            return answered;
        }
        return asked.isGuid()
                ? SchemaOrigin.ofGuid(asked.guid())
                : SchemaOrigin.ofId(asked.id(), answered.guid().orElse(null));
    }
}
