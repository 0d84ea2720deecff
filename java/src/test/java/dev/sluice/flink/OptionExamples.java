package dev.sluice.flink;

import java.util.LinkedHashMap;
import java.util.Map;

/** A value for every option of the user page; a format takes each as it stands there. */
final class OptionExamples {
    private static final String MESSAGE_CLASS = "shop.v1.OrderProtos$Order";

    private OptionExamples() {}

    private static Map<String, String> of(String... keysAndValues) {
        Map<String, String> examples = new LinkedHashMap<>();
        for (int at = 0; at < keysAndValues.length; at += 2) {
            examples.put(keysAndValues[at], keysAndValues[at + 1]);
        }
        return examples;
    }

    static Map<String, String> ofProtoConfluent() {
        return of(
                "url", "https://registry-1:8081,https://registry-2:8081",
                "topic", "orders",
                "is_key", "true",
                "subject", ":.shop:orders-value",
                "schema", "syntax = \"proto3\"; message Order { int64 id = 1; }",
                "message-class", MESSAGE_CLASS,
                "message-name", "shop.v1.Order",
                "auto-register-schemas", "true",
                "normalize-schemas", "false",
                "use-schema-id", "7",
                "skip-known-types", "false",
                "id-encoding", "header",
                "ssl.keystore.location", "/etc/flink/client.p12",
                "ssl.keystore.password", "secret",
                "ssl.truststore.location", "/etc/flink/ca.p12",
                "ssl.truststore.password", "secret",
                "basic-auth.credentials-source", "USER_INFO",
                "basic-auth.user-info", "alice:secret",
                "bearer-auth.credentials-source", "STATIC_TOKEN",
                "bearer-auth.token", "eyJhbGciOi",
                "properties", "max.retries:5,request.header.X-Team:orders",
                "on-deserialize-error", "skip",
                "unframed-records", "fail",
                "dead-letter-topic", "orders-dead",
                "dead-letter.properties", "bootstrap.servers:'localhost:9092'",
                "dead-letter.on-failure", "log",
                "validate-at-planning", "false",
                "engine", "java",
                "row-format", "generic",
                "batch.max-bytes", "4mb");
    }

    static Map<String, String> ofProtobufNative() {
        return of(
                "message-class-name", MESSAGE_CLASS,
                "ignore-parse-errors", "true",
                "read-default-values", "true",
                "write-null-string-literal", "NULL",
                "engine", "java",
                "batch.max-bytes", "4mb");
    }
}
