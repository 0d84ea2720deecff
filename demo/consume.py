"""Prints the records of a topic as JSON, read with Confluent's own client.

    consume.py --broker HOST:PORT --registry URL --topic NAME [--keys]

It is given no class: those of a record are made of the schema that it names in the registry, in a
header or in front of the message. So the topic may be of any writer, and what is printed follows from
registry and bytes alone.
"""

import argparse
import base64
import subprocess
import sys
import tempfile
from pathlib import Path

from confluent_kafka import Consumer, KafkaError, KafkaException, OFFSET_BEGINNING, TopicPartition
from confluent_kafka.schema_registry import Schema, SchemaRegistryClient
from confluent_kafka.schema_registry import dual_schema_id_deserializer
from confluent_kafka.schema_registry.confluent import meta_pb2
from confluent_kafka.schema_registry.confluent.type import decimal_pb2
from confluent_kafka.schema_registry.protobuf import ProtobufDeserializer
from confluent_kafka.schema_registry.serde import SchemaId
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, json_format, message_factory
from google.protobuf import timestamp_pb2, wrappers_pb2
from google.type import date_pb2, timeofday_pb2

BUILT_IN = [descriptor_pb2, meta_pb2, decimal_pb2, timestamp_pb2, wrappers_pb2, date_pb2, timeofday_pb2]
META = "confluent/meta.proto"


class TextRegistry(SchemaRegistryClient):
    """For registries that answer a schema's text where the client asks for its descriptor."""

    def get_schema(self, schema_id, subject_name=None, fmt=None, reference_format=None):
        schema = super().get_schema(schema_id, subject_name)
        return self._serialized(schema) if fmt == "serialized" else schema

    def get_schema_by_guid(self, guid, fmt=None):
        schema = super().get_schema_by_guid(guid)
        return self._serialized(schema) if fmt == "serialized" else schema

    def get_version(self, subject_name, version="latest", deleted=False, fmt=None):
        # The copy in the cache stays as it is: texts that import this one are compiled from it.
        found = super().get_version(subject_name, version, deleted)
        if fmt != "serialized":
            return found
        schema = self._serialized(found.schema)
        return type(found)(found.subject, found.version, found.schema_id, found.guid, schema)

    def _serialized(self, schema):
        root = self.files(schema).file[-1]
        encoded = base64.b64encode(root.SerializeToString()).decode()
        return Schema(encoded, "PROTOBUF", schema.references)

    def files(self, schema):
        """The schema's file, last, after all that it imports."""
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            self._write(folder, "root.proto", schema)
            known = descriptor_pb2.FileDescriptorSet()
            for module in BUILT_IN:
                module.DESCRIPTOR.CopyToProto(known.file.add())
            (folder / "known").write_bytes(known.SerializeToString())
            subprocess.run(
                [Path(sys.executable).with_name("protoc"), "-I", folder]
                + [f"--descriptor_set_in={folder / 'known'}", "--include_imports"]
                + [f"--descriptor_set_out={folder / 'set'}", "root.proto"],
                check=True,
            )
            return descriptor_pb2.FileDescriptorSet.FromString((folder / "set").read_bytes())

    def _write(self, folder, path, schema):
        text = schema.schema_str
        if "(confluent." in text and META not in text:
            # Registries know these options without the import, and in any package.
            text = text.replace("(confluent.", "(.confluent.") + f'\nimport "{META}";\n'
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        for reference in schema.references:
            imported = self.get_version(reference.subject, reference.version)
            self._write(folder, reference.name, imported.schema)


class Reader:
    """Reads keys or values, each with the schema that it was written with."""

    def __init__(self, registry, topic, field):
        self.registry = registry
        self.topic = topic
        self.field = field
        self.deserializers = {}

    def text(self, data, headers):
        if data is None:
            return "null"
        context = SerializationContext(self.topic, self.field, headers)
        schema_id = SchemaId("PROTOBUF")
        dual_schema_id_deserializer(data, context, schema_id)
        frame = (schema_id.id, schema_id.guid, *schema_id.message_indexes)
        if frame not in self.deserializers:
            self.deserializers[frame] = ProtobufDeserializer(
                self._message(schema_id), {"use.deprecated.format": False}, self.registry
            )
        message = self.deserializers[frame](data, context)
        return json_format.MessageToJson(
            message, preserving_proto_field_name=True, indent=None, ensure_ascii=False
        )

    def _message(self, schema_id):
        if schema_id.id is not None:
            schema = self.registry.get_schema(schema_id.id)
        else:
            schema = self.registry.get_schema_by_guid(str(schema_id.guid))
        pool = descriptor_pool.DescriptorPool()
        files = self.registry.files(schema).file
        for file in files:
            pool.Add(file)
        of = files[-1].message_type
        name = files[-1].package
        for index in schema_id.message_indexes:
            name = f"{name}.{of[index].name}".lstrip(".")
            of = of[index].nested_type
        return message_factory.GetMessageClass(pool.FindMessageTypeByName(name))


def records(broker, topic):
    """All committed records that the topic has now, a partition after the other."""
    consumer = Consumer(
        {"bootstrap.servers": broker, "group.id": "demo", "enable.partition.eof": True}
    )
    for partition in sorted(consumer.list_topics(topic, 30).topics[topic].partitions):
        consumer.assign([TopicPartition(topic, partition, OFFSET_BEGINNING)])
        while True:
            record = consumer.poll(30)
            if record is None:
                sys.exit(f"no answer from {broker}")
            if not record.error():
                yield record
            elif record.error().code() == KafkaError._PARTITION_EOF:
                break
            else:
                raise KafkaException(record.error())
    consumer.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--broker", required=True)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--topic", required=True)
    parser.add_argument("--keys", action="store_true", help="print each key before its value")
    args = parser.parse_args()

    registry = TextRegistry({"url": args.registry})
    keys = Reader(registry, args.topic, MessageField.KEY)
    values = Reader(registry, args.topic, MessageField.VALUE)
    for record in records(args.broker, args.topic):
        headers = record.headers()
        key = keys.text(record.key(), headers) + " " if args.keys else ""
        print(key + values.text(record.value(), headers))


if __name__ == "__main__":
    main()
