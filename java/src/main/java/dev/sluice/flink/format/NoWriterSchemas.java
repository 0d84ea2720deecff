package dev.sluice.flink.format;

/** The provider for records without a frame: their message stands in the plan. */
public enum NoWriterSchemas implements WriterSchemaProvider {
    INSTANCE;

    @Override
    public Open open() {
        return (key, indexes) -> {
            throw new IllegalStateException("a record without frame names no schema, but " + key);
        };
    }

    @Override
    public String toString() {
        return "none";
    }
}
