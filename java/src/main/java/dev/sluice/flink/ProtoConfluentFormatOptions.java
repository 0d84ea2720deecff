package dev.sluice.flink;

import dev.sluice.flink.engine.Engine;
import dev.sluice.flink.format.PlanningMode;

import org.apache.flink.configuration.ConfigOption;
import org.apache.flink.configuration.ConfigOptions;
import org.apache.flink.configuration.MemorySize;

import java.util.Locale;
import java.util.Map;

/**
 * Options of the {@code proto-confluent} format. In {@code CREATE TABLE} each stands behind the
 * format's own prefix: {@code value.proto-confluent.url}, {@code key.proto-confluent.url}, or
 * {@code proto-confluent.url} with {@code 'format' = 'proto-confluent'}.
 *
 * <p>The descriptions are the user page, {@code docs/configuration.md}.
 */
public final class ProtoConfluentFormatOptions {

    // ------------------------------------------------------------------ registry and subject

    public static final ConfigOption<String> URL =
            ConfigOptions.key("url")
                    .stringType()
                    .noDefaultValue()
                    .withFallbackKeys("schema-registry.url")
                    .withDescription(
                            "Schema registry URL, or a comma-separated list of them. Required.");

    public static final ConfigOption<String> TOPIC =
            ConfigOptions.key("topic")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Kafka topic from which the subject is derived: '<topic>-key' or"
                                    + " '<topic>-value'. Required.");

    public static final ConfigOption<Boolean> IS_KEY =
            ConfigOptions.key("is_key")
                    .booleanType()
                    .defaultValue(false)
                    .withFallbackKeys("is-key")
                    .withDescription(
                            "Whether this format reads and writes the Kafka key. Set it to true on"
                                    + " a 'key.format'.");

    public static final ConfigOption<String> SUBJECT =
            ConfigOptions.key("subject")
                    .stringType()
                    .noDefaultValue()
                    .withFallbackKeys("schema-registry.subject")
                    .withDescription("Subject to use instead of the one derived from the topic.");

    public static final ConfigOption<String> SCHEMA =
            ConfigOptions.key("schema")
                    .stringType()
                    .noDefaultValue()
                    .withFallbackKeys("schema-registry.schema")
                    .withDescription(
                            "Protobuf schema text (or base64 descriptor) to use instead of the"
                                    + " subject's latest schema on read, and instead of one"
                                    + " derived from the row on write.");

    public static final ConfigOption<String> MESSAGE_CLASS =
            ConfigOptions.key("message-class")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Binary name of a generated Protobuf class, with '$' between outer and"
                                    + " nested class. On read, the columns are compared with its"
                                    + " message while the table is planned, and records without"
                                    + " frame are read as that message if their schema has it. On"
                                    + " write, it is written instead of one derived from the row."
                                    + " Applies to the key when 'is_key' is true and to the value"
                                    + " otherwise.");

    public static final ConfigOption<String> MESSAGE_NAME =
            ConfigOptions.key("message-name")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Full name of the only Protobuf message to read from a topic that"
                                    + " holds several. Without it each record is read as its own"
                                    + " message. On write, the message of the schema that rows"
                                    + " are written as, its first one without; also the name of a"
                                    + " derived message.");

    // ------------------------------------------------------------------ what a writer registers

    public static final ConfigOption<Boolean> AUTO_REGISTER_SCHEMAS =
            ConfigOptions.key("auto-register-schemas")
                    .booleanType()
                    .defaultValue(false)
                    .withFallbackKeys("auto_register_schemas")
                    .withDescription(
                            "Register the schema on write. With false it is looked up; where a"
                                    + " derived schema is not found, the subject's latest is"
                                    + " written.");

    public static final ConfigOption<Boolean> NORMALIZE_SCHEMAS =
            ConfigOptions.key("normalize-schemas")
                    .booleanType()
                    .defaultValue(true)
                    .withFallbackKeys("normalize_schemas")
                    .withDescription(
                            "Ask the registry to normalize schemas on registration and look-up."
                                    + " What this format sends is in normal form already.");

    public static final ConfigOption<Integer> USE_SCHEMA_ID =
            ConfigOptions.key("use-schema-id")
                    .intType()
                    .defaultValue(-1)
                    .withFallbackKeys("use_schema_id")
                    .withDescription(
                            "Schema id to write, and to read records without frame with; -1"
                                    + " chooses one.");

    public static final ConfigOption<Boolean> SKIP_KNOWN_TYPES =
            ConfigOptions.key("skip-known-types")
                    .booleanType()
                    .defaultValue(true)
                    .withFallbackKeys("skip_known_types")
                    .withDescription(
                            "Leave well-known imports out of the references of a registered"
                                    + " schema.");

    public static final ConfigOption<IdEncoding> ID_ENCODING =
            ConfigOptions.key("id-encoding")
                    .enumType(IdEncoding.class)
                    .defaultValue(IdEncoding.PAYLOAD)
                    .withDescription(
                            "Where a written record names its schema: 'payload', or 'prefix', in"
                                    + " front of the message, 'header' in a header of the record."
                                    + " 'header' needs our interceptor in"
                                    + " 'properties.interceptor.classes'. No effect on reading.");

    // ------------------------------------------------------------------ security

    public static final ConfigOption<String> SSL_KEYSTORE_LOCATION =
            ConfigOptions.key("ssl.keystore.location")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("File of the key store for mutual TLS with the registry.");

    public static final ConfigOption<String> SSL_KEYSTORE_PASSWORD =
            ConfigOptions.key("ssl.keystore.password")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Password of the key store.");

    public static final ConfigOption<String> SSL_TRUSTSTORE_LOCATION =
            ConfigOptions.key("ssl.truststore.location")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("File of the trust store for TLS with the registry.");

    public static final ConfigOption<String> SSL_TRUSTSTORE_PASSWORD =
            ConfigOptions.key("ssl.truststore.password")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Password of the trust store.");

    public static final ConfigOption<String> BASIC_AUTH_CREDENTIALS_SOURCE =
            ConfigOptions.key("basic-auth.credentials-source")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Where basic credentials come from: USER_INFO, URL or SASL_INHERIT.");

    public static final ConfigOption<String> BASIC_AUTH_USER_INFO =
            ConfigOptions.key("basic-auth.user-info")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Basic credentials, 'user:password', for USER_INFO.");

    public static final ConfigOption<String> BEARER_AUTH_CREDENTIALS_SOURCE =
            ConfigOptions.key("bearer-auth.credentials-source")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Where the bearer token comes from: STATIC_TOKEN or OAUTHBEARER.");

    public static final ConfigOption<String> BEARER_AUTH_TOKEN =
            ConfigOptions.key("bearer-auth.token")
                    .stringType()
                    .noDefaultValue()
                    .withDescription("Bearer token, for STATIC_TOKEN.");

    public static final ConfigOption<Map<String, String>> PROPERTIES =
            ConfigOptions.key("properties")
                    .mapType()
                    .noDefaultValue()
                    .withDescription(
                            "Any property of the registry client, as 'properties.<name>' = 'value'"
                                    + " or 'properties' = 'name:value,name:value'. An option of"
                                    + " the format that is set wins over the same property.");

    // ------------------------------------------------------------------ records that fail

    public static final ConfigOption<String> ON_DESERIALIZE_ERROR =
            ConfigOptions.key("on-deserialize-error")
                    .stringType()
                    .defaultValue("fail")
                    .withDescription(
                            "What a record that cannot be read does: 'fail', in any case, fails"
                                    + " the task; any other value skips the record.");

    public static final ConfigOption<UnframedRecords> UNFRAMED_RECORDS =
            ConfigOptions.key("unframed-records")
                    .enumType(UnframedRecords.class)
                    .defaultValue(UnframedRecords.LATEST)
                    .withDescription(
                            "What a record without schema id is: 'latest' reads it with the"
                                    + " subject's latest schema, 'fail' refuses it.");

    public static final ConfigOption<String> DEAD_LETTER_TOPIC =
            ConfigOptions.key("dead-letter-topic")
                    .stringType()
                    .noDefaultValue()
                    .withDescription(
                            "Topic that receives the bytes of skipped records. Needs"
                                    + " 'dead-letter.properties.bootstrap.servers'.");

    public static final ConfigOption<Map<String, String>> DEAD_LETTER_PROPERTIES =
            ConfigOptions.key("dead-letter.properties")
                    .mapType()
                    .noDefaultValue()
                    .withDescription(
                            "Properties of Kafka's producer for the dead-letter topic, in the same"
                                    + " two forms.");

    public static final ConfigOption<OnFailure> DEAD_LETTER_ON_FAILURE =
            ConfigOptions.key("dead-letter.on-failure")
                    .enumType(OnFailure.class)
                    .defaultValue(OnFailure.FAIL)
                    .withDescription(
                            "What happens when a dead letter cannot be sent, or is not acknowledged"
                                    + " in time: 'fail' fails the task, 'log' logs and counts it,"
                                    + " and the record is lost.");

    public static final ConfigOption<PlanningMode> VALIDATE_AT_PLANNING =
            ConfigOptions.key("validate-at-planning")
                    .enumType(PlanningMode.class)
                    .defaultValue(PlanningMode.AUTO)
                    .withDescription(
                            "Whether columns are compared with the subject's latest schema while"
                                    + " the table is planned: 'auto' if the registry answers,"
                                    + " 'true' in any case, 'false' never.");

    // ------------------------------------------------------------------ how records are decoded

    public static final ConfigOption<Engine> ENGINE =
            ConfigOptions.key("engine")
                    .enumType(Engine.class)
                    .defaultValue(Engine.AUTO)
                    .withDescription(
                            "Which engine reads and writes; rows and records are the same. 'native'"
                                    + " fails where the native library cannot be loaded, 'java'"
                                    + " never loads it, 'auto' takes native code, or Java where"
                                    + " there is none.");

    public static final ConfigOption<RowFormat> ROW_FORMAT =
            ConfigOptions.key("row-format")
                    .enumType(RowFormat.class)
                    .defaultValue(RowFormat.AUTO)
                    .withDescription(
                            "Class of the rows handed to the connector. 'binary' is fastest, but"
                                    + " some connectors cast rows and need 'generic'; 'auto' is"
                                    + " binary only where that is known to work. A projection of"
                                    + " nested fields always gives generic rows.");

    public static final ConfigOption<MemorySize> BATCH_MAX_BYTES =
            ConfigOptions.key("batch.max-bytes")
                    .memoryType()
                    .defaultValue(MemorySize.ofMebiBytes(32))
                    .withDescription(
                            "With the interceptor in 'properties.interceptor.classes': bytes of"
                                    + " rows that are decoded ahead and wait for their turn, for"
                                    + " each subtask. Records beyond are decoded at their turn; 0"
                                    + " decodes none ahead.");

    /** Values of {@link #UNFRAMED_RECORDS}. */
    public enum UnframedRecords {
        LATEST(dev.sluice.flink.plan.UnframedRecords.LATEST),
        FAIL(dev.sluice.flink.plan.UnframedRecords.FAIL);

        private final dev.sluice.flink.plan.UnframedRecords planned;

        UnframedRecords(dev.sluice.flink.plan.UnframedRecords planned) {
            this.planned = planned;
        }

        /** The same choice in a plan. */
        dev.sluice.flink.plan.UnframedRecords planned() {
            return planned;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Values of {@link #ID_ENCODING}. */
    public enum IdEncoding {
        PAYLOAD,
        /** Another word for {@link #PAYLOAD}. */
        PREFIX,
        HEADER;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Values of {@link #DEAD_LETTER_ON_FAILURE}. */
    public enum OnFailure {
        FAIL,
        LOG;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Values of {@link #ROW_FORMAT}. */
    public enum RowFormat {
        AUTO,
        BINARY,
        GENERIC;

        /** Whether rows are binary, given what the table's connector is known to take. */
        boolean isBinary(boolean mayBeBinary) {
            return this == BINARY || this == AUTO && mayBeBinary;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    private ProtoConfluentFormatOptions() {}
}
