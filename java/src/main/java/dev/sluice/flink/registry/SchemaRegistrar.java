package dev.sluice.flink.registry;

import dev.sluice.flink.registry.RegistryException.Kind;
import dev.sluice.flink.schema.SchemaFile;
import dev.sluice.flink.schema.SchemaKey;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;

/**
 * Finds schemas of a writer in the registry by their content, and registers them if asked to. Files
 * that a schema imports are registered, or looked up, before it, leaves first (H13), each once;
 * what every registry has built in is left out.
 *
 * <p>Uses the connection of a {@link SchemaStore} and is of use as long as that is open. Caches
 * nothing: a writer asks once.
 */
public final class SchemaRegistrar {
    private final SchemaStore store;
    private final boolean normalizes;
    private final boolean looksUpReferencesOnly;
    private final UnaryOperator<String> referenceSubject;

    /**
     * @param normalizes whether the registry is asked to bring texts into normal form
     * @param looksUpReferencesOnly whether imported files are not registered, whatever is asked for
     *     ({@code reference.lookup.only})
     * @param referenceSubject from an import path to its subject (S6)
     */
    public SchemaRegistrar(
            SchemaStore store,
            boolean normalizes,
            boolean looksUpReferencesOnly,
            UnaryOperator<String> referenceSubject) {
        this.store = store;
        this.normalizes = normalizes;
        this.looksUpReferencesOnly = looksUpReferencesOnly;
        this.referenceSubject = referenceSubject;
    }

    /**
     * The id of a schema under a subject, registered unless it is there.
     *
     * @throws RegistryException {@code REJECTED} with the registry's words; imported files may be
     *     registered by then
     */
    public int register(String subject, SchemaFile schema) throws RegistryException {
        List<Reference> references = references(schema, !looksUpReferencesOnly);
        return store.client().register(subject, submitted(schema, references)).id();
    }

    /** The id of a schema under a subject; empty if the subject does not hold it. */
    public OptionalInt lookUp(String subject, SchemaFile schema) throws RegistryException {
        try {
            List<Reference> references = references(schema, false);
            return OptionalInt.of(
                    store.client().lookUp(subject, submitted(schema, references), false).id());
        } catch (RegistryException e) {
            if (e.kind() == Kind.NOT_FOUND) {
                return OptionalInt.empty();
            }
            throw e;
        }
    }

    /**
     * The id under which a subject holds what has this GUID.
     *
     * @throws RegistryException {@code NOT_FOUND} if it does not hold it
     */
    public int idOf(SchemaKey guid, String subject) throws RegistryException {
        RegisteredSchema known = store.client().schema(guid, subject);
        SubmittedSchema same =
                new SubmittedSchema(guid.toString(), known.text(), known.references(), normalizes);
        return store.client().lookUp(subject, same, false).id();
    }

    private List<Reference> references(SchemaFile schema, boolean registers)
            throws RegistryException {
        return references(schema, registers, new LinkedHashMap<>());
    }

    private List<Reference> references(
            SchemaFile schema, boolean registers, Map<String, Reference> known)
            throws RegistryException {
        List<Reference> references = new ArrayList<>();
        for (SchemaFile imported : schema.imports()) {
            Reference reference = known.get(imported.path());
            if (reference == null) {
                reference = reference(imported, registers, known);
                known.put(imported.path(), reference);
            }
            references.add(reference);
        }
        return references;
    }

    private Reference reference(SchemaFile file, boolean registers, Map<String, Reference> known)
            throws RegistryException {
        SubmittedSchema schema = submitted(file, references(file, registers, known));
        String subject = referenceSubject.apply(file.path());
        if (registers) {
            store.client().register(subject, schema);
        }
        RegisteredId found = store.client().lookUp(subject, schema, true);
        if (found.version() == null) {
            throw new RegistryException(
                    Kind.UNEXPECTED,
                    "the registry tells no version of " + schema.name() + ", which is imported");
        }
        return new Reference(file.path(), subject, found.version());
    }

    private SubmittedSchema submitted(SchemaFile file, List<Reference> references) {
        return new SubmittedSchema(file.path(), file.text(), references, normalizes);
    }
}
