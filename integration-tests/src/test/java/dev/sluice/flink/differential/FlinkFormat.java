package dev.sluice.flink.differential;

import dev.sluice.flink.it.FlinkProtobuf;
import dev.sluice.flink.it.ProtobufRelease;

import org.apache.flink.api.common.serialization.DeserializationSchema;
import org.apache.flink.api.common.serialization.SerializationSchema;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.table.data.RowData;
import org.apache.flink.table.runtime.typeutils.InternalTypeInfo;
import org.apache.flink.table.types.logical.RowType;

import java.lang.reflect.InvocationTargetException;
import java.nio.file.Path;
import java.util.concurrent.Callable;

/**
 * Flink's own {@code protobuf} format of the Flink line under test, the oracle. It and the
 * protobuf-java that it needs live in a class loader of their own, with the generated classes.
 */
final class FlinkFormat {
    private static final String PACKAGE = FlinkProtobuf.PACKAGE;

    private final ClassLoader loader;

    /**
     * @param generated the jar with the messages' classes
     */
    FlinkFormat(Path generated) {
        this.loader = new FlinkProtobuf(generated);
    }

    /** Which protobuf the oracle of this line works with. */
    static ProtobufRelease release() {
        return ProtobufRelease.ofThisLine();
    }

    /** Where the generated classes are. */
    ClassLoader loader() {
        return loader;
    }

    /**
     * Plans and opens a reader: checks the columns, then generates and compiles its code.
     *
     * @throws Exception what Flink throws if it cannot
     */
    DeserializationSchema<RowData> open(
            RowType row, String messageClass, boolean readDefaults, boolean ignoreParseErrors)
            throws Exception {
        return withOwnClasses(
                () -> {
                    DeserializationSchema<RowData> schema =
                            planned(row, messageClass, readDefaults, ignoreParseErrors);
                    schema.open(new NoTask());
                    return schema;
                });
    }

    /**
     * Plans a reader, which checks the columns.
     *
     * @throws Exception what Flink throws if one does not fit
     */
    void plan(RowType row, String messageClass) throws Exception {
        withOwnClasses(() -> planned(row, messageClass, false, false));
    }

    private DeserializationSchema<RowData> planned(
            RowType row, String messageClass, boolean readDefaults, boolean ignoreParseErrors)
            throws Exception {
        Object settings = settings(messageClass, ignoreParseErrors, readDefaults, "");
        @SuppressWarnings("unchecked")
        DeserializationSchema<RowData> schema =
                (DeserializationSchema<RowData>)
                        Class.forName(
                                        PACKAGE + "deserialize.PbRowDataDeserializationSchema",
                                        true,
                                        loader)
                                .getConstructor(
                                        RowType.class, TypeInformation.class, settings.getClass())
                                .newInstance(row, InternalTypeInfo.of(row), settings);
        return schema;
    }

    /**
     * Plans and opens a writer: checks the columns, then generates and compiles its code.
     *
     * @param nullText {@code write-null-string-literal}
     * @throws Exception what Flink throws if it cannot
     */
    SerializationSchema<RowData> openWriter(RowType row, String messageClass, String nullText)
            throws Exception {
        return withOwnClasses(
                () -> {
                    Object settings = settings(messageClass, false, false, nullText);
                    @SuppressWarnings("unchecked")
                    SerializationSchema<RowData> schema =
                            (SerializationSchema<RowData>)
                                    Class.forName(
                                                    PACKAGE
                                                            + "serialize"
                                                            + ".PbRowDataSerializationSchema",
                                                    true,
                                                    loader)
                                            .getConstructor(RowType.class, settings.getClass())
                                            .newInstance(row, settings);
                    schema.open(new NoTask());
                    return schema;
                });
    }

    private Object settings(
            String messageClass, boolean ignoreParseErrors, boolean readDefaults, String nullText)
            throws ReflectiveOperationException {
        return Class.forName(PACKAGE + "PbFormatConfig", true, loader)
                .getConstructor(String.class, boolean.class, boolean.class, String.class)
                .newInstance(messageClass, ignoreParseErrors, readDefaults, nullText);
    }

    /** Flink's format finds the generated classes through the thread. */
    private <T> T withOwnClasses(Callable<T> action) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(loader);
        try {
            return action.call();
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception ? (Exception) e.getCause() : e;
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
