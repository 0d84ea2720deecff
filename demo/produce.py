"""Writes orders to a topic with Confluent's own client, in one version of their schema.

    produce.py --broker HOST:PORT --registry URL --classes DIR --from ID --count N

`--classes` holds what protoc generated from one version of order.proto. The two versions define the
same message, so each has its own run of this script, as two releases of a service would.
"""

import argparse
import sys
from datetime import datetime, timedelta, timezone

from confluent_kafka import Producer
from confluent_kafka.schema_registry import SchemaRegistryClient
from confluent_kafka.schema_registry.protobuf import ProtobufSerializer
from confluent_kafka.serialization import MessageField, SerializationContext

TOPIC = "orders"
MIDNIGHT = datetime(2026, 1, 1, tzinfo=timezone.utc)
CUSTOMERS = [("Ada", "GB"), ("Grace", "US"), ("Konrad", "DE"), ("Sofia", "RU"), ("Émilie", "FR")]
PRICES = {"tea": 450, "coffee": 690, "cup": 1200, "kettle": 3900}


def build_order(pb, number):
    """Order `number`, the same in every run: what is in it follows from the number alone."""
    name, country = CUSTOMERS[number % 7 % len(CUSTOMERS)]
    order = pb.Order(id=number, customer=pb.Customer(name=name, country=country))
    for sku in list(PRICES)[: number % 4]:  # some orders have no line
        line = order.lines.add(sku=sku, quantity=1 + number % 11 % 4)
        line.price.currency = "EUR"
        line.price.cents = PRICES[sku]
    order.labels["source"] = "demo"
    if number % 2:
        order.labels["gift"] = "yes"
    statuses = [known for known in pb.Status.values() if known > 0]
    order.status = statuses[number % len(statuses)]
    if number % 3 == 0:
        order.note = f"ring twice, order {number}"
    order.placed_at.FromDatetime(MIDNIGHT + timedelta(seconds=7 * number, milliseconds=number))
    if "channel" in pb.Order.DESCRIPTOR.fields_by_name:
        order.channel = "app" if number % 2 else "shop"
    return order


def main():
    args = parse_arguments()
    sys.path.insert(0, args.classes)
    from shop.v1 import order_pb2 as pb

    registry = SchemaRegistryClient({"url": args.registry})
    serialize = ProtobufSerializer(pb.Order, registry, {"use.deprecated.format": False})
    context = SerializationContext(TOPIC, MessageField.VALUE)
    failed = []
    producer = Producer({"bootstrap.servers": args.broker, "linger.ms": 20})
    for number in range(args.first, args.first + args.count):
        value = serialize(build_order(pb, number), context)
        producer.produce(TOPIC, value, on_delivery=lambda error, _: error and failed.append(error))
        producer.poll(0)
    left = producer.flush(60)
    if failed or left:
        sys.exit(f"{len(failed) + left} of {args.count} orders not written: {failed[:1]}")

    schema_id = int.from_bytes(value[1:5], "big")  # as in the record: magic byte, id, indexes
    imports = ", ".join(reference.name for reference in registry.get_schema(schema_id).references)
    print(f"wrote {args.count} orders with schema id {schema_id}, which refers to {imports}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--broker", required=True)
    parser.add_argument("--registry", required=True)
    parser.add_argument("--classes", required=True, help="folder of the generated classes")
    parser.add_argument("--from", dest="first", type=int, required=True, help="id of the first order")
    parser.add_argument("--count", type=int, required=True)
    return parser.parse_args()


if __name__ == "__main__":
    main()
