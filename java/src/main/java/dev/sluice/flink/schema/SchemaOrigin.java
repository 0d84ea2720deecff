package dev.sluice.flink.schema;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * What a registry calls one schema: its id, its GUID, or both, as far as they are known. A value.
 *
 * <p>A registry that was asked by id tells the GUID as well, or it follows from the text (W17). One
 * that was asked by GUID tells no id.
 */
public final class SchemaOrigin {
    /** A schema that comes from no registry. */
    public static final SchemaOrigin NONE = new SchemaOrigin(OptionalInt.empty(), null);

    private final OptionalInt id;
    private final UUID guid; // null where none is known

    private SchemaOrigin(OptionalInt id, UUID guid) {
        this.id = id;
        this.guid = guid;
    }

    /**
     * @param guid null where none is known
     */
    public static SchemaOrigin ofId(int id, UUID guid) {
        return new SchemaOrigin(OptionalInt.of(id), guid);
    }

    public static SchemaOrigin ofGuid(UUID guid) {
        return new SchemaOrigin(OptionalInt.empty(), Objects.requireNonNull(guid, "guid"));
    }

    public OptionalInt id() {
        return id;
    }

    public Optional<UUID> guid() {
        return Optional.ofNullable(guid);
    }

    /** The key under which records and messages name the schema, the id first; null for none. */
    public SchemaKey key() {
        if (id.isPresent()) {
            return SchemaKey.ofId(id.getAsInt());
        }
        return guid == null ? null : SchemaKey.ofGuid(guid);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SchemaOrigin)) {
            return false;
        }
        SchemaOrigin that = (SchemaOrigin) other;
        return id.equals(that.id) && Objects.equals(guid, that.guid);
    }

    @Override
    public int hashCode() {
        return Objects.hash(id, guid);
    }

    @Override
    public String toString() {
        SchemaKey key = key();
        return key == null ? "a schema of no registry" : key.toString();
    }
}
