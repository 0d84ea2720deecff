package dev.sluice.flink.differential;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * Random bytes of a message, made field by field on the wire, so that all that a reader must bear
 * occurs: fields in any order and more than once, members of a oneof one after the other, messages
 * in several pieces, packed and unpacked runs, unknown fields and groups, wire types of another
 * kind, enum numbers without a name, texts that are no UTF-8, required fields that are missing; and
 * some records broken afterwards.
 */
final class RandomRecords {
    private static final int DEPTH_MAX = 4;
    private static final long[] NUMBERS = {
        0,
        1,
        2,
        5,
        127,
        128,
        300,
        -1,
        -2,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        (1L << 32) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };
    private static final List<String> TEXTS =
            List.of("", "a", "k1", "k2", "k3", "zeta", "alpha", "žluť", "日本", "😀", "a\0b");
    private static final byte[][] NO_TEXTS = {
        {(byte) 0xc3, 0x28},
        {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {(byte) 0xed, (byte) 0xa0},
        {(byte) 0xc0, (byte) 0x80},
        {'x', (byte) 0xf0, (byte) 0x90, (byte) 0x80, 'A'},
        {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80},
        {(byte) 0xe0, (byte) 0x80, 'A'},
        {(byte) 0xff}
    };

    private final Descriptor message;
    private final Random random;

    RandomRecords(Descriptor message, Random random) {
        this.message = message;
        this.random = random;
    }

    byte[] next() {
        byte[] record = message(message, 0);
        return random.nextInt(5) == 0 ? broken(record) : record;
    }

    private byte[] message(Descriptor type, int depth) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, 64);
        try {
            int fields = random.nextInt(depth == 0 ? 10 : 4);
            for (int i = 0; i < fields; i++) {
                if (random.nextInt(30) == 0 || type.getFields().isEmpty()) {
                    unknown(out);
                } else {
                    List<FieldDescriptor> all = type.getFields();
                    field(all.get(random.nextInt(all.size())), out, depth);
                }
            }
            for (FieldDescriptor field : type.getFields()) {
                if (field.isRequired() && random.nextInt(60) != 0) {
                    value(field, out, depth, true);
                }
            }
            out.flush();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return bytes.toByteArray();
    }

    private void field(FieldDescriptor field, CodedOutputStream out, int depth) throws IOException {
        if (random.nextInt(60) == 0) {
            otherWireType(field.getNumber(), out);
        } else if (field.isMapField()) {
            for (int i = random.nextInt(4); i >= 0; i--) {
                out.writeByteArray(field.getNumber(), entry(field.getMessageType(), depth));
            }
        } else if (!field.isRepeated()) {
            value(field, out, depth, true);
        } else if (field.isPackable() && random.nextBoolean()) {
            packed(field, out, depth);
        } else {
            for (int i = random.nextInt(3); i >= 0; i--) {
                value(field, out, depth, true);
            }
        }
    }

    /** Mostly key and value, sometimes anything. */
    private byte[] entry(Descriptor type, int depth) throws IOException {
        if (depth < DEPTH_MAX && random.nextInt(6) == 0) {
            return message(type, depth + 1);
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes, 64);
        value(type.findFieldByNumber(1), out, depth + 1, true);
        value(type.findFieldByNumber(2), out, depth + 1, true);
        out.flush();
        return bytes.toByteArray();
    }

    private void packed(FieldDescriptor field, CodedOutputStream out, int depth)
            throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream run = CodedOutputStream.newInstance(bytes, 64);
        for (int i = random.nextInt(5); i > 0; i--) {
            value(field, run, depth, false);
        }
        run.flush();
        out.writeByteArray(field.getNumber(), bytes.toByteArray());
    }

    private void value(FieldDescriptor field, CodedOutputStream out, int depth, boolean tagged)
            throws IOException {
        int number = field.getNumber();
        if (tagged) {
            out.writeTag(number, field.getLiteType().getWireType());
        }
        switch (field.getLiteType().getWireType()) {
            case WireFormat.WIRETYPE_VARINT:
                varint(field, out);
                break;
            case WireFormat.WIRETYPE_FIXED32:
                out.writeFixed32NoTag(
                        random.nextInt(4) == 0 ? random.nextInt() : (int) number(random));
                break;
            case WireFormat.WIRETYPE_FIXED64:
                out.writeFixed64NoTag(random.nextInt(4) == 0 ? random.nextLong() : number(random));
                break;
            case WireFormat.WIRETYPE_START_GROUP:
                out.writeRawBytes(nested(field, depth));
                out.writeTag(number, WireFormat.WIRETYPE_END_GROUP);
                break;
            default:
                out.writeByteArrayNoTag(
                        field.getJavaType() == FieldDescriptor.JavaType.MESSAGE
                                ? nested(field, depth)
                                : octets());
        }
    }

    private byte[] nested(FieldDescriptor field, int depth) {
        return depth >= DEPTH_MAX ? new byte[0] : message(field.getMessageType(), depth + 1);
    }

    private void varint(FieldDescriptor field, CodedOutputStream out) throws IOException {
        long value = number(random);
        if (field.getJavaType() == FieldDescriptor.JavaType.ENUM && random.nextInt(15) != 0) {
            List<EnumValueDescriptor> values = field.getEnumType().getValues();
            value = values.get(random.nextInt(values.size())).getNumber();
        }
        if (random.nextInt(20) == 0 && value >= 0 && value < 1L << 60) {
            // longer than it must be
            out.write((byte) (value & 0x7f | 0x80));
            out.write((byte) (value >>> 7 & 0x7f | 0x80));
            out.writeUInt64NoTag(value >>> 14);
        } else {
            out.writeUInt64NoTag(value);
        }
    }

    private static long number(Random random) {
        return random.nextInt(3) == 0
                ? random.nextLong() >> random.nextInt(64)
                : NUMBERS[random.nextInt(NUMBERS.length)];
    }

    private byte[] octets() {
        return random.nextInt(40) == 0
                ? NO_TEXTS[random.nextInt(NO_TEXTS.length)]
                : TEXTS.get(random.nextInt(TEXTS.size())).getBytes(StandardCharsets.UTF_8);
    }

    private void otherWireType(int number, CodedOutputStream out) throws IOException {
        switch (random.nextInt(4)) {
            case 0:
                out.writeUInt64(number, number(random));
                break;
            case 1:
                out.writeFixed32(number, random.nextInt());
                break;
            case 2:
                out.writeFixed64(number, random.nextLong());
                break;
            default:
                out.writeByteArray(number, octets());
        }
    }

    private void unknown(CodedOutputStream out) throws IOException {
        int number = 100_000 + random.nextInt(100);
        if (random.nextInt(3) != 0) {
            otherWireType(number, out);
            return;
        }
        out.writeTag(number, WireFormat.WIRETYPE_START_GROUP);
        otherWireType(1, out);
        out.writeTag(number, WireFormat.WIRETYPE_END_GROUP);
    }

    /** A byte changed, left out or put in, a part cut off or doubled. */
    private byte[] broken(byte[] record) {
        if (record.length == 0) {
            return new byte[] {(byte) random.nextInt()};
        }
        int at = random.nextInt(record.length);
        int end = at + random.nextInt(record.length - at + 1);
        byte[] changed = record.clone();
        switch (random.nextInt(5)) {
            case 0:
                changed[at] = (byte) random.nextInt();
                return changed;
            case 1:
                changed[at] ^= (byte) (1 << random.nextInt(8));
                return changed;
            case 2:
                return Arrays.copyOf(record, at);
            case 3:
                return joined(
                        Arrays.copyOf(record, at), Arrays.copyOfRange(record, end, record.length));
            default:
                return joined(
                        Arrays.copyOf(record, end), Arrays.copyOfRange(record, at, record.length));
        }
    }

    private static byte[] joined(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
