package dev.sluice.flink.schema;

import java.util.Objects;
import java.util.UUID;

/** How a record names its writer schema: by the registry's id, or by GUID (W1, W15). A value. */
public final class SchemaKey {
    private final int id;
    private final UUID guid; // null when the key is an id

    private SchemaKey(int id, UUID guid) {
        this.id = id;
        this.guid = guid;
    }

    /**
     * The key that stands in the prefix of a record. Ids are signed on the wire; any int is one.
     */
    public static SchemaKey ofId(int id) {
        return new SchemaKey(id, null);
    }

    /** The key that stands in a record's header. */
    public static SchemaKey ofGuid(UUID guid) {
        return new SchemaKey(0, Objects.requireNonNull(guid, "guid"));
    }

    public boolean isGuid() {
        return guid != null;
    }

    /** The id; {@link IllegalStateException} when the key is a GUID. */
    public int id() {
        if (guid != null) {
            throw new IllegalStateException(this + " has no id");
        }
        return id;
    }

    /** The GUID; {@link IllegalStateException} when the key is an id. */
    public UUID guid() {
        if (guid == null) {
            throw new IllegalStateException(this + " has no GUID");
        }
        return guid;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof SchemaKey)) {
            return false;
        }
        SchemaKey that = (SchemaKey) other;
        return id == that.id && Objects.equals(guid, that.guid);
    }

    @Override
    public int hashCode() {
        return guid == null ? Integer.hashCode(id) : guid.hashCode();
    }

    @Override
    public String toString() {
        return guid == null ? "schema id " + id : "schema GUID " + guid;
    }
}
