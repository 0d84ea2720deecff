package dev.sluice.flink.arrow;

import com.google.protobuf.CodedOutputStream;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** A schema with a field of every kind of column, and records of it. */
final class Shop {
    static final String SCHEMA =
            "syntax = \"proto3\"; package shop;\n"
                    + "import \"google/protobuf/timestamp.proto\";\n"
                    + "import \"google/type/date.proto\";\n"
                    + "message Order {\n"
                    + "  int64 id = 1;\n"
                    + "  optional string note = 2;\n"
                    + "  Status status = 3;\n"
                    + "  google.protobuf.Timestamp placed = 4;\n"
                    + "  repeated Line lines = 5;\n"
                    + "  map<string, int32> counts = 6;\n"
                    + "  oneof payment { string card = 7; int64 voucher = 8; }\n"
                    + "  google.type.Date due = 9;\n"
                    + "  bool gift = 10;\n"
                    + "  double weight = 11;\n"
                    + "  bytes blob = 12;\n"
                    + "}\n"
                    + "message Line { string sku = 1; int32 amount = 2; Status status = 3; }\n"
                    + "enum Status { NEW = 0; PAID = 1; }\n";

    private Shop() {}

    static ArrowTable table() {
        return ArrowTable.ofText(SCHEMA, "shop.Order");
    }

    /** A record with every field set. */
    static byte[] order(int id) {
        return message(
                order -> {
                    order.writeInt64(1, id);
                    order.writeString(2, "note " + id);
                    order.writeEnum(3, 1);
                    order.writeByteArray(
                            4,
                            message(
                                    placed -> {
                                        placed.writeInt64(1, 1_700_000_000L + id);
                                        placed.writeInt32(2, 123_456_789);
                                    }));
                    for (int line = 0; line < id % 3; line++) {
                        String sku = "sku-" + line;
                        order.writeByteArray(5, message(one -> one.writeString(1, sku)));
                    }
                    order.writeByteArray(
                            6,
                            message(
                                    entry -> {
                                        entry.writeString(1, "k");
                                        entry.writeInt32(2, id);
                                    }));
                    order.writeString(7, "card");
                    order.writeByteArray(
                            9,
                            message(
                                    due -> {
                                        due.writeInt32(1, 2026);
                                        due.writeInt32(2, 11);
                                        due.writeInt32(3, 30);
                                    }));
                    order.writeBool(10, true);
                    order.writeDouble(11, id / 4.0);
                    order.writeByteArray(12, new byte[] {1, 2, (byte) id});
                });
    }

    interface Fields {
        void write(CodedOutputStream out) throws IOException;
    }

    static byte[] message(Fields fields) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        try {
            fields.write(out);
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }
}
