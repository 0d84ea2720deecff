"""Decodes records with the jar and imports the batches into pyarrow, in one process.

    arrow_import.py CLASSPATH

Every check is an assertion; the last line says how many rows were compared.
"""

import sys

import jpype
import pyarrow as pa
from pyarrow.cffi import ffi

SCHEMA = """
syntax = "proto3";
package shop;
import "google/protobuf/timestamp.proto";
message Order {
  int64 id = 1;
  optional string note = 2;
  Status status = 3;
  google.protobuf.Timestamp placed = 4;
  repeated Line lines = 5;
  map<string, int32> counts = 6;
}
message Line { string sku = 1; }
enum Status { NEW = 0; PAID = 1; }
"""

# id 5, note "n", PAID, placed 1 s, two lines, one count
FULL = bytes.fromhex("0805 12016e 1801 22020801 2a030a0161 2a030a0162 32050a016b1007".replace(" ", ""))
BROKEN = b"\x08"


def address(struct):
    return int(ffi.cast("uintptr_t", struct))


def imported(batch):
    array, schema = ffi.new("struct ArrowArray*"), ffi.new("struct ArrowSchema*")
    batch.export(address(array), address(schema))
    return pa.RecordBatch._import_from_c(address(array), address(schema))


def main():
    jpype.startJVM(classpath=sys.argv[1].split(":"))
    arrow = jpype.JPackage("dev").sluice.flink.arrow
    before = arrow.ArrowBatch.liveExports()

    decoder = arrow.ArrowTable.ofText(SCHEMA, "shop.Order").decoder()
    records = jpype.JArray(jpype.JArray(jpype.JByte))
    decoded = decoder.decode(records([FULL, BROKEN, b"", FULL]))
    assert [(one.index(), str(one.code())) for one in decoded.refused()] == [(1, "TRUNCATED")]
    batch = imported(decoded)
    empty = imported(decoder.decode(records([])))
    streamed = ffi.new("struct ArrowArrayStream*")
    both = jpype.java.util.ArrayList([decoded, decoded])
    arrow.ArrowBatch.exportStream(both, address(streamed))
    decoded.close()
    decoder.close()

    batch.validate(full=True)
    empty.validate(full=True)
    assert batch.schema.field("id") == pa.field("id", pa.int64(), nullable=False)
    assert batch.schema.field("placed").type == pa.timestamp("ns", "UTC")
    assert batch.schema.field("status").type == pa.dictionary(pa.int32(), pa.string())
    rows = batch.to_pylist()
    assert rows[0]["note"] == "n" and rows[0]["status"] == "PAID"
    assert rows[0]["placed"].timestamp() == 1
    assert [line["sku"] for line in rows[0]["lines"]] == ["a", "b"]
    assert rows[0]["counts"] == [("k", 7)]
    nothing = dict(id=0, note=None, status="NEW", placed=None, lines=[], counts=[])
    assert rows[1] == nothing, rows[1]
    assert rows[2] == rows[0]
    assert empty.num_rows == 0 and empty.schema == batch.schema

    table = pa.RecordBatchReader._import_from_c(address(streamed)).read_all()
    table.validate(full=True)
    assert table.to_pylist() == rows + rows
    assert arrow.ArrowBatch.liveExports() == before + 2

    del batch, empty, table
    assert arrow.ArrowBatch.liveExports() == before, arrow.ArrowBatch.liveExports()
    print(f"{3 * len(rows)} rows compared")


main()
