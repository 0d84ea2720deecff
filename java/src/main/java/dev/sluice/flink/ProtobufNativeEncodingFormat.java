package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.ClassMessage;
import dev.sluice.flink.format.JavaEscapes;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;

import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.api.ValidationException;
import org.apache.flink.table.connector.ChangelogMode;
import org.apache.flink.table.connector.format.EncodingFormat;
import org.apache.flink.table.connector.sink.DynamicTableSink;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.types.DataType;
import org.apache.flink.table.types.logical.RowType;

import java.util.Objects;

/**
 * The writing side of {@code protobuf-native} in a planned table. A value: immutable, equal to
 * another one with the same settings and an equal message.
 */
public final class ProtobufNativeEncodingFormat
        implements EncodingFormat<SerializationSchema<RowData>> {

    private final MessageClass message;
    private final String nullText;
    private final Engine engine;

    /**
     * @param nullText with Java escapes
     * @throws ValidationException if one of them is none
     */
    ProtobufNativeEncodingFormat(MessageClass message, String nullText, Engine engine) {
        this.message = message;
        this.engine = engine;
        try {
            this.nullText = JavaEscapes.resolve(nullText);
        } catch (IllegalArgumentException e) {
            throw new ValidationException(
                    String.format(
                            "Option '%s': %s",
                            ProtobufNativeFormatOptions.WRITE_NULL_STRING_LITERAL.key(),
                            e.getMessage()),
                    e);
        }
    }

    @Override
    public SerializationSchema<RowData> createRuntimeEncoder(
            DynamicTableSink.Context context, DataType physicalDataType) {
        RowType row = (RowType) physicalDataType.getLogicalType();
        byte[] plan =
                new PlanBuilder(row, Profile.FLINK, Framing.BARE)
                        .nullText(nullText)
                        .buildToWrite(message.writerMessage());
        return new ProtobufSerializationSchema(plan, row, new ClassMessage(message), engine);
    }

    @Override
    public ChangelogMode getChangelogMode() {
        return ChangelogMode.insertOnly();
    }

    /** What the format was told. */
    public String asSummaryString() {
        return String.format(
                "%s(%s, engine=%s)", ProtobufNativeFormatFactory.IDENTIFIER, message, engine);
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof ProtobufNativeEncodingFormat)) {
            return false;
        }
        ProtobufNativeEncodingFormat that = (ProtobufNativeEncodingFormat) other;
        return message.equals(that.message)
                && nullText.equals(that.nullText)
                && engine == that.engine;
    }

    @Override
    public int hashCode() {
        return Objects.hash(message, nullText, engine);
    }

    @Override
    public String toString() {
        return asSummaryString();
    }
}
