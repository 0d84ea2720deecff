package dev.sluice.flink.registry;

import static dev.sluice.flink.registry.PropertyTable.FLAG;
import static dev.sluice.flink.registry.PropertyTable.LIST;
import static dev.sluice.flink.registry.PropertyTable.NUMBER;
import static dev.sluice.flink.registry.PropertyTable.TEXT;

import java.util.Map;

/**
 * The properties that decide which schema a record is read with. Clients of Confluent have them in
 * the same place as those of the connection; here the format reads them, and not the client.
 */
final class ReaderPropertyTable {
    private ReaderPropertyTable() {}

    /** By name, in an order to be read. */
    static Map<String, PropertyName> rows() {
        PropertyTable table = new PropertyTable();
        table.add(
                "use.latest.version",
                FLAG,
                "false",
                "Read every record with the latest schema of the subject.",
                "true");
        table.add(
                "use.latest.with.metadata",
                LIST,
                "Read every record with the latest schema of the subject whose metadata hold all"
                        + " these pairs; a value may stand in single quotes.",
                "major=1,owner='a,b'");
        table.add(
                "use.schema.id",
                NUMBER,
                "-1",
                "Schema that stands in for the subject's latest where a record names none.",
                "7");
        table.add(
                "use.schema.guid",
                TEXT,
                "The same by GUID; an id wins over it.",
                "01020304-0506-0708-090a-0b0c0d0e0f10");
        table.add(
                "use.message.indexes",
                LIST,
                "Message of that schema, as indexes from the outermost message inwards.",
                "1,0");
        for (String role : new String[] {"key.", "value."}) {
            table.add(
                    role + "subject.name.strategy",
                    TEXT,
                    "TopicNameStrategy",
                    "How the subject is named, by the class name that Confluent's clients have"
                            + " there: TopicNameStrategy, RecordNameStrategy,"
                            + " TopicRecordNameStrategy or AssociatedNameStrategy. Any other one is"
                            + " refused.",
                    "io.confluent.kafka.serializers.subject.TopicNameStrategy");
        }
        table.add(
                "subject.name.strategy.fallback.type",
                TEXT,
                "TOPIC",
                "What AssociatedNameStrategy comes to: TOPIC, RECORD or TOPIC_RECORD.",
                "TOPIC");
        for (String role : new String[] {"key.", "value."}) {
            table.add(
                    role + "schema.id.deserializer",
                    TEXT,
                    "DualSchemaIdDeserializer",
                    "Accepted and without effect: every known class ends in the same search for"
                            + " the schema. Any other one is refused.",
                    "io.confluent.kafka.serializers.schema.id.DualSchemaIdDeserializer");
        }
        table.add(
                "context.name.strategy",
                TEXT,
                "NullContextNameStrategy",
                "Any other one is refused: a context stands in the subject or in the URL.",
                "io.confluent.kafka.schemaregistry.client.rest.NullContextNameStrategy");
        table.add(
                "latest.cache.ttl.sec",
                NUMBER,
                "-1",
                "After so many seconds the latest schema of a job is looked up anew; it stays for"
                        + " the life of the job unless this is positive.",
                "600");
        return table.rows();
    }
}
