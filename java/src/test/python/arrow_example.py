import sys

import jpype
import jpype.imports
import pyarrow as pa
from pyarrow.cffi import ffi

jpype.startJVM(classpath=sys.argv[1].split(":"))  # the jar, flink-table-common, slf4j-api
from dev.sluice.flink.arrow import ArrowTable

SCHEMA = 'syntax = "proto3"; message Order { int64 id = 1; repeated string tags = 2; }'
decoder = ArrowTable.ofText(SCHEMA, "Order").decoder()
records = jpype.JArray(jpype.JArray(jpype.JByte))([b"\x08\x01\x12\x03red", b"\x08\x02"])
decoded = decoder.decode(records)

array, schema = ffi.new("struct ArrowArray*"), ffi.new("struct ArrowSchema*")
at = [int(ffi.cast("uintptr_t", struct)) for struct in (array, schema)]
decoded.export(*at)
batch = pa.RecordBatch._import_from_c(*at)
assert batch.to_pydict() == {"id": [1, 2], "tags": [["red"], []]}

encoder = ArrowTable.ofText(SCHEMA, "Order").encoder(ArrowTable.frame(7))
batch.slice(1)._export_to_c(*at)
encoded = encoder.encode(*at)
assert bytes(encoded.record(0)) == b"\0\0\0\0\x07\0" + b"\x08\x02"
