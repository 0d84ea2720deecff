package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

/**
 * Options of the {@code protobuf-native} format: those of Flink's own {@code protobuf} format, with
 * the same keys, types and defaults, and those that are ours, {@link #ENGINE} and {@link
 * #BATCH_MAX_BYTES}. In {@code CREATE TABLE} each stands behind the format's own prefix: {@code
 * value.protobuf-native.message-class-name}, or {@code protobuf-native.message-class-name} with
 * {@code 'format' = 'protobuf-native'}.
 */
public final class ProtobufNativeFormatOptions {

    public static final ConfigOption<String> MESSAGE_CLASS_NAME =
            ConfigOptions.key("message-class-name")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Binary name of the generated Protobuf class, with '$' between outer"
                                    + " and nested class. Needed where the table is planned only."
                                    + " Required.");

    public static final ConfigOption<Boolean> IGNORE_PARSE_ERRORS =
            ConfigOptions.key("ignore-parse-errors")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Drop records that cannot be read instead of failing the job.");

    public static final ConfigOption<Boolean> READ_DEFAULT_VALUES =
            ConfigOptions.key("read-default-values")
                    .booleanType()
                    .defaultValue(false)
                    .withDescription(
                            "Read what is absent as its default instead of NULL. Values of simple"
                                    + " types are read so in any case if the message's file is"
                                    + " proto3.");

    public static final ConfigOption<String> WRITE_NULL_STRING_LITERAL =
            ConfigOptions.key("write-null-string-literal")
                    .stringType()
                    .defaultValue("")
                    .withDescription(
                            "On write, what stands for a NULL string in an array or a map.");

    public static final ConfigOption<Engine> ENGINE =
            ConfigOptions.key("engine")
                    .enumType(Engine.class)
                    .defaultValue(Engine.AUTO)
                    .withDescription(
                            "Which engine reads and writes; rows and records are the same. 'native'"
                                    + " fails where the native library cannot be loaded, 'java'"
                                    + " never loads it, 'auto' takes native code, or Java where"
                                    + " there is none.");

    public static final ConfigOption<MemorySize> BATCH_MAX_BYTES =
            ConfigOptions.key("batch.max-bytes")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(32))
                    .withDescription(
                            "With the interceptor in 'properties.interceptor.classes': bytes of"
                                    + " rows that are decoded ahead and wait for their turn, for"
                                    + " each subtask. Records beyond are decoded at their turn; 0"
                                    + " decodes none ahead.");

    private ProtobufNativeFormatOptions() {}
}
