"""Writes keys and values that name their schemas in headers: BROKER REGISTRY TOPIC COUNT.

Confluent's own client in header mode. Messages are the second ones of their files, whose classes are made
here; the serializer registers the files by itself.
"""

import sys

from confluent_kafka import Producer
from confluent_kafka.schema_registry import SchemaRegistryClient, header_schema_id_serializer
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory

INT64 = descriptor_pb2.FieldDescriptorProto.TYPE_INT64
STRING = descriptor_pb2.FieldDescriptorProto.TYPE_STRING


def message_class(name, **fields):
    """The class of a message that stands behind another one in a file of its own."""
    file = descriptor_pb2.FileDescriptorProto(
        name=f"{name}.proto", package="shop", syntax="proto3"
    )
    file.message_type.add(name=f"Before{name}")
    message = file.message_type.add(name=name)
    for number, (field, kind) in enumerate(fields.items(), 1):
        message.field.add(name=field, number=number, type=kind, label=1)
    pool = descriptor_pool.DescriptorPool()
    pool.Add(file)
    return message_factory.GetMessageClass(pool.FindMessageTypeByName(f"shop.{name}"))


broker, url, topic, count = sys.argv[1:]
registry = SchemaRegistryClient({"url": url})
settings = {
    "use.deprecated.format": False,
    "schema.id.serializer": header_schema_id_serializer,
}
key_class = message_class("Key", id=INT64)
order_class = message_class("Order", id=INT64, note=STRING)
keys = ProtobufSerializer(key_class, registry, settings)
values = ProtobufSerializer(order_class, registry, settings)
producer = Producer({"bootstrap.servers": broker})
for number in range(1, int(count) + 1):
    headers = []
    key = keys(key_class(id=number), SerializationContext(topic, MessageField.KEY, headers))
    value = values(
        order_class(id=number, note="n"),
        SerializationContext(topic, MessageField.VALUE, headers),
    )
    producer.produce(topic, key=key, value=value, headers=headers)
if producer.flush(60):
    sys.exit("not all records were written")
