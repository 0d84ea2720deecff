"""Registers a schema text with Confluent's own client: REGISTRY SUBJECT FILE [IMPORT_PATH=SUBJECT].

An imported file is taken in the first version of its subject. The id is printed.
"""

import sys
from pathlib import Path

from confluent_kafka.schema_registry import Schema, SchemaReference, SchemaRegistryClient

url, subject, file, *imports = sys.argv[1:]
references = [SchemaReference(path, of, 1) for path, of in (one.split("=") for one in imports)]
schema = Schema(Path(file).read_text(encoding="utf-8"), "PROTOBUF", references)
print(SchemaRegistryClient({"url": url}).register_schema(subject, schema))
