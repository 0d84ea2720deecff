package dev.sluice.flink.engine.agreement;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.WireFormat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Random wire bytes of a message, written by hand so that they hold what serializers never write:
 * fields out of order, twice, in pieces, packed against their declaration, with another wire type,
 * unknown ones, unknown enum numbers, invalid text, several members of a oneof; and then damaged.
 */
final class RandomRecord {
    private static final int LEVELS_MAX = 6;
    private static final int MESSAGES_MAX = 60;
    private static final long[] EDGES = {
        0,
        1,
        -1,
        2,
        127,
        128,
        300,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 32,
        (1L << 32) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE,
        0x7ff8_0000_0000_0001L,
        0x7fc0_0001L
    };
    private static final byte[][] TEXTS = {
        {},
        {'a'},
        "seven b".getBytes(),
        "eight by".getBytes(),
        {(byte) 0xc3, (byte) 0xa9},
        "a text that stands in the variable part".getBytes()
    };
    private static final byte[][] INVALID_TEXTS = {
        {(byte) 0xc3, 0x28},
        {(byte) 0xed, (byte) 0xa0, (byte) 0x80},
        {(byte) 0xf0, (byte) 0x90},
        {'x', (byte) 0xff, 'y'},
        {(byte) 0xe0, (byte) 0x80, 0x41}
    };

    private final Random random;
    private final int oddity; // one thing in so many is odd
    private int messages; // that the record may still hold

    RandomRecord(Random random) {
        this.random = random;
        this.oddity = random.nextInt(3) == 0 ? 12 : 150;
    }

    private boolean chance(int oneIn) {
        return random.nextInt(oneIn) == 0;
    }

    /** Bytes that are a message, nearly always. */
    byte[] message(Descriptor message) {
        messages = MESSAGES_MAX;
        try {
            return message(message, 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same bytes with one to three faults. */
    byte[] damaged(byte[] message) {
        byte[] bytes = message.clone();
        for (int n = 1 + random.nextInt(3); n > 0; n--) {
            int at = random.nextInt(bytes.length + 1);
            switch (random.nextInt(6)) {
                case 0:
                    bytes = Arrays.copyOf(bytes, at);
                    break;
                case 1:
                    bytes = spliced(bytes, at, at, (byte) random.nextInt());
                    break;
                case 2:
                    bytes = spliced(bytes, at, Math.min(bytes.length, at + 1));
                    break;
                case 3:
                    byte[] longVarint = new byte[8 + random.nextInt(4)];
                    Arrays.fill(longVarint, (byte) 0x80);
                    longVarint[longVarint.length - 1] = (byte) random.nextInt(128);
                    bytes = spliced(bytes, at, at, longVarint);
                    break;
                case 4:
                    int end = at + random.nextInt(bytes.length + 1 - at);
                    bytes = spliced(bytes, at, at, Arrays.copyOfRange(bytes, at, end));
                    break;
                default:
                    if (at < bytes.length) {
                        bytes[at] ^= (byte) (1 << random.nextInt(8));
                    }
                    break;
            }
        }
        return bytes;
    }

    private static byte[] spliced(byte[] bytes, int from, int to, byte... with) {
        byte[] out = new byte[from + with.length + bytes.length - to];
        System.arraycopy(bytes, 0, out, 0, from);
        System.arraycopy(with, 0, out, from, with.length);
        System.arraycopy(bytes, to, out, from + with.length, bytes.length - to);
        return out;
    }

    private byte[] message(Descriptor message, int level) throws IOException {
        List<byte[]> fields = new ArrayList<>();
        if (--messages < 0 || level > LEVELS_MAX) {
            return new byte[0];
        }
        for (FieldDescriptor field : message.getFields()) {
            boolean inOneof = field.getRealContainingOneof() != null;
            if (field.isRequired() ? chance(oddity) : chance(inOneof ? 2 : 4)) {
                continue;
            }
            int times = field.isRepeated() ? random.nextInt(4) : chance(6) ? 2 : 1;
            for (int n = times; n > 0; n--) {
                fields.add(field(field, level));
            }
        }
        if (chance(10)) {
            fields.add(unknown());
        }
        if (chance(3)) {
            Collections.shuffle(fields, random);
        }
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (byte[] field : fields) {
            out.write(field);
        }
        return out.toByteArray();
    }

    private interface Writing {
        void to(CodedOutputStream out) throws IOException;
    }

    private static byte[] bytes(Writing writing) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        CodedOutputStream out = CodedOutputStream.newInstance(bytes);
        writing.to(out);
        out.flush();
        return bytes.toByteArray();
    }

    private byte[] field(FieldDescriptor field, int level) throws IOException {
        int number = field.getNumber();
        if (field.getType() == FieldDescriptor.Type.GROUP) {
            byte[] inside = message(field.getMessageType(), level + 1);
            return bytes(
                    out -> {
                        out.writeTag(number, WireFormat.WIRETYPE_START_GROUP);
                        out.writeRawBytes(inside);
                        int end = chance(oddity * 2) ? number + 1 : number;
                        out.writeTag(end, WireFormat.WIRETYPE_END_GROUP);
                    });
        }
        if (chance(oddity)) {
            return bytes(out -> out.writeFixed32(number, random.nextInt())); // other wire type
        }
        if (field.isPackable() && field.isRepeated() && chance(2)) {
            byte[] run =
                    bytes(
                            out -> {
                                for (int n = random.nextInt(4); n > 0; n--) {
                                    out.writeRawBytes(value(field, level));
                                }
                            });
            return bytes(out -> out.writeByteArray(number, run));
        }
        byte[] value = value(field, level);
        return bytes(
                out -> {
                    out.writeTag(number, wireType(field));
                    out.writeRawBytes(value);
                });
    }

    private static int wireType(FieldDescriptor field) {
        return field.getLiteType().getWireType();
    }

    private byte[] unknown() throws IOException {
        int number = 4000 + random.nextInt(9);
        switch (random.nextInt(4)) {
            case 0:
                return bytes(out -> out.writeUInt64(number, random.nextLong()));
            case 1:
                return bytes(out -> out.writeFixed64(number, 7));
            case 2:
                return bytes(out -> out.writeByteArray(number, new byte[] {1, 2, 3}));
            default:
                return bytes(
                        out -> {
                            out.writeTag(number, WireFormat.WIRETYPE_START_GROUP);
                            out.writeInt32(1, 5);
                            out.writeTag(number, WireFormat.WIRETYPE_END_GROUP);
                        });
        }
    }

    private long number() {
        switch (random.nextInt(3)) {
            case 0:
                return EDGES[random.nextInt(EDGES.length)];
            case 1:
                return random.nextInt(200);
            default:
                return random.nextLong();
        }
    }

    /** A value without its tag. */
    private byte[] value(FieldDescriptor field, int level) throws IOException {
        long number = number();
        switch (field.getType()) {
            case DOUBLE:
            case FIXED64:
            case SFIXED64:
                return bytes(out -> out.writeFixed64NoTag(number));
            case FLOAT:
            case FIXED32:
            case SFIXED32:
                return bytes(out -> out.writeFixed32NoTag((int) number));
            case ENUM:
                List<EnumValueDescriptor> values = field.getEnumType().getValues();
                int known = values.get(random.nextInt(values.size())).getNumber();
                long written = chance(oddity / 2) ? number : known;
                return bytes(out -> out.writeUInt64NoTag(written));
            case STRING:
                return bytes(out -> out.writeByteArrayNoTag(text()));
            case BYTES:
                byte[] octets = new byte[random.nextInt(4) * random.nextInt(8)];
                random.nextBytes(octets);
                return bytes(out -> out.writeByteArrayNoTag(octets));
            case MESSAGE:
                byte[] message = submessage(field.getMessageType(), level + 1);
                return bytes(out -> out.writeByteArrayNoTag(message));
            default:
                return bytes(out -> out.writeUInt64NoTag(number));
        }
    }

    private byte[] text() {
        byte[][] from = chance(oddity) ? INVALID_TEXTS : TEXTS;
        return from[random.nextInt(from.length)];
    }

    /** Mostly with values that make sense for what the message means. */
    private byte[] submessage(Descriptor message, int level) throws IOException {
        if (chance(8)) {
            return message(message, level);
        }
        switch (message.getFullName()) {
            case "google.protobuf.Timestamp":
                return bytes(
                        out -> {
                            out.writeInt64(1, random.nextInt() * 60L);
                            out.writeInt32(2, random.nextInt(1_000_000_000));
                        });
            case "google.type.Date":
                return bytes(
                        out -> {
                            out.writeInt32(1, chance(oddity) ? 0 : 1 + random.nextInt(9999));
                            out.writeInt32(2, 1 + random.nextInt(12));
                            out.writeInt32(3, 1 + random.nextInt(chance(oddity) ? 31 : 28));
                        });
            case "google.type.TimeOfDay":
                return bytes(
                        out -> {
                            out.writeInt32(1, random.nextInt(24));
                            out.writeInt32(2, random.nextInt(60));
                            out.writeInt32(3, random.nextInt(chance(oddity) ? 61 : 60));
                            out.writeInt32(4, random.nextInt(1_000_000_000));
                        });
            case "confluent.type.Decimal":
                return decimal(message);
            default:
                return message(message, level);
        }
    }

    /** A number that lies halfway between two shorter ones, whatever the scale. */
    private byte[] tie() {
        int digits = chance(3) ? 37 + random.nextInt(4) : random.nextInt(12);
        BigInteger half = BigInteger.valueOf(10L * random.nextInt(100) + 5);
        BigInteger tie = half.multiply(BigInteger.TEN.pow(digits));
        return (random.nextBoolean() ? tie : tie.negate()).toByteArray();
    }

    private byte[] decimal(Descriptor message) throws IOException {
        byte[] value = chance(4) ? tie() : new byte[1 + random.nextInt(chance(8) ? 40 : 9)];
        if (value[0] == 0) {
            random.nextBytes(value);
        }
        int precision = chance(2) ? 0 : 1 + random.nextInt(40);
        int scale = chance(10) ? random.nextInt() : random.nextInt(chance(4) ? 48 : 16) - 3;
        FieldDescriptor precisionField = message.findFieldByName("precision");
        return bytes(
                out -> {
                    out.writeByteArray(message.findFieldByName("value").getNumber(), value);
                    if (precisionField != null && precision != 0) {
                        out.writeUInt32(precisionField.getNumber(), precision);
                    }
                    out.writeInt32(message.findFieldByName("scale").getNumber(), scale);
                });
    }
}
