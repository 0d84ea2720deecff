package dev.sluice.flink.differential;

import dev.sluice.flink.ProtobufDeserializationSchema;
import dev.sluice.flink.ProtobufSerializationSchema;
import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.ClassMessage;
import dev.sluice.flink.format.ErrorPolicy;
import dev.sluice.flink.format.JavaEscapes;
import dev.sluice.flink.format.MessageClass;
import dev.sluice.flink.format.NoWriterSchemas;
import dev.sluice.flink.format.PlanBuilder;
import dev.sluice.flink.plan.Framing;
import dev.sluice.flink.plan.Profile;
import dev.sluice.flink.row.RowOpener;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

/** {@code protobuf-native} as its decoding and its encoding format put it together. */
final class NativeFormat {
    private final ClassLoader loader;
    private final Engine engine;

    NativeFormat(ClassLoader loader, Engine engine) {
        this.loader = loader;
        this.engine = engine;
    }

    /** Plans and opens a reader. */
    DeserializationSchema<RowData> open(
            RowType row, String messageClass, boolean readDefaults, boolean ignoreParseErrors)
            throws Exception {
        DeserializationSchema<RowData> schema =
                new ProtobufDeserializationSchema(
                        plan(row, messageClass, readDefaults),
                        NoWriterSchemas.INSTANCE,
                        engine,
                        RowOpener.generic(row),
                        InternalTypeInfo.of(row),
                        ignoreParseErrors ? ErrorPolicy.skip(null) : ErrorPolicy.fail(),
                        0);
        schema.open(new NoTask());
        return schema;
    }

    /** Plans a reader, which checks the columns; no engine is needed for it. */
    byte[] plan(RowType row, String messageClass, boolean readDefaults) {
        MessageClass message = load(messageClass);
        return new PlanBuilder(row, Profile.FLINK, Framing.BARE)
                .message(message.resolved(), message.descriptors())
                .readDefaults(readDefaults, message.isProto3())
                .buildFor(message.descriptor());
    }

    /** Plans and opens a writer. */
    SerializationSchema<RowData> openWriter(RowType row, String messageClass, String nullText)
            throws Exception {
        SerializationSchema<RowData> schema =
                new ProtobufSerializationSchema(
                        writePlan(row, messageClass, nullText),
                        row,
                        new ClassMessage(load(messageClass)),
                        engine);
        schema.open(new NoTask());
        return schema;
    }

    /** Plans a writer, which checks the columns. */
    byte[] writePlan(RowType row, String messageClass, String nullText) {
        return new PlanBuilder(row, Profile.FLINK, Framing.BARE)
                .nullText(JavaEscapes.resolve(nullText))
                .buildToWrite(load(messageClass).writerMessage());
    }

    private MessageClass load(String messageClass) {
        return MessageClass.load("message-class-name", messageClass, loader);
    }
}
