package dev.sluice.flink.engine;

import dev.sluice.flink.bridge.FailureCode;
import dev.sluice.flink.schema.SchemaException;
import dev.sluice.flink.schema.SchemaKey;
import dev.sluice.flink.schema.SchemaOrigin;
import dev.sluice.flink.schema.WriterSchema;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A registry that has one schema under every id but 404, and counts what it is asked. */
public final class AskedSchemas implements WriterSchemas {
    public static final String ORDERS =
            "syntax = 'proto3'; package shop;"
                    + " message Order { int64 id = 1; string name = 2; repeated int32 n = 4;"
                    + " message Line { string id = 1; } }"
                    + " message Refund { int64 id = 1; } message Nothing {}";
    public static final UUID GUID = UUID.fromString("01020304-0506-0708-090a-0b0c0d0e0f10");

    private final WriterSchema schema;
    String unframed; // message, or null for none
    public Duration lifetime;
    public int framedCount;
    int unframedCount;

    AskedSchemas(String text, String unframed) {
        this.unframed = unframed;
        try {
            schema = WriterSchema.of(text, Map.of());
        } catch (SchemaException e) {
            throw new AssertionError(e);
        }
    }

    /** The schema {@link #ORDERS}. */
    public static AskedSchemas orders(String unframed) {
        return new AskedSchemas(ORDERS, unframed);
    }

    @Override
    public WriterMessage resolve(SchemaKey key, int[] indexes) throws RecordException {
        framedCount++;
        if (!key.isGuid() && key.id() == 404) {
            throw new RecordException(FailureCode.SCHEMA_NOT_FOUND, "none", key, null);
        }
        try {
            return WriterMessage.of(
                    schema,
                    indexes,
                    key.isGuid()
                            ? SchemaOrigin.ofGuid(key.guid())
                            : SchemaOrigin.ofId(key.id(), GUID));
        } catch (SchemaException e) {
            throw new RecordException(FailureCode.UNKNOWN_MESSAGE_INDEX, e.getMessage(), key, e);
        }
    }

    @Override
    public WriterMessage resolveUnframed() throws RecordException, IOException {
        unframedCount++;
        if (unframed == null) {
            return WriterSchemas.super.resolveUnframed();
        }
        try {
            return WriterMessage.of(schema, unframed, SchemaOrigin.ofId(40 + unframedCount, null));
        } catch (SchemaException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public Optional<Duration> unframedLifetime() {
        return Optional.ofNullable(lifetime);
    }
}
