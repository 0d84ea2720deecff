package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;

import java.nio.charset.StandardCharsets;
import java.util.Random;

/** Random messages of any descriptor, and bytes that are nearly a message. */
public final class RandomMessages {
    private static final int DEPTH_MAX = 4;

    private final Random random;

    public RandomMessages(Random random) {
        this.random = random;
    }

    /** Nearly always with its required fields; they cannot be there if messages require it. */
    public DynamicMessage message(Descriptor type) {
        return message(type, 0);
    }

    private DynamicMessage message(Descriptor type, int depth) {
        DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            boolean isNested = field.getJavaType() == FieldDescriptor.JavaType.MESSAGE;
            boolean isNeeded = field.isRequired() && random.nextInt(50) > 0;
            boolean isWanted = random.nextInt(2) == 0;
            if (isNested && depth >= (isNeeded ? 2 * DEPTH_MAX : DEPTH_MAX)) {
                continue;
            }
            if (field.isRepeated() && isWanted) {
                for (int count = random.nextInt(4); count > 0; count--) {
                    message.addRepeatedField(field, value(field, depth));
                }
            } else if (!field.isRepeated() && (isNeeded || isWanted)) {
                message.setField(field, value(field, depth));
            }
        }
        return message.buildPartial();
    }

    private Object value(FieldDescriptor field, int depth) {
        switch (field.getJavaType()) {
            case INT:
                return random.nextInt() >> random.nextInt(32);
            case LONG:
                return random.nextLong() >> random.nextInt(64);
            case FLOAT:
                return Float.intBitsToFloat(random.nextInt());
            case DOUBLE:
                return Double.longBitsToDouble(random.nextLong());
            case BOOLEAN:
                return random.nextBoolean();
            case STRING:
                return random.nextInt(2) == 0 ? "é" : "text".repeat(random.nextInt(4));
            case BYTE_STRING:
                return ByteString.copyFrom(bytes(random.nextInt(20)));
            case ENUM:
                return enumValue(field);
            default:
                return message(field.getMessageType(), depth + 1);
        }
    }

    private Object enumValue(FieldDescriptor field) {
        EnumDescriptor type = field.getEnumType();
        if (random.nextInt(4) == 0 && !field.legacyEnumFieldTreatedAsClosed()) {
            return type.findValueByNumberCreatingIfUnknown(random.nextInt(10) - 5);
        }
        return type.getValues().get(random.nextInt(type.getValues().size()));
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The bytes of a message with some of them changed, lost, doubled or put in. */
    public byte[] nearly(Message message) {
        byte[] bytes = message.toByteArray();
        for (int changes = random.nextInt(4); changes > 0; changes--) {
            bytes = changed(bytes);
        }
        return bytes;
    }

    private byte[] changed(byte[] bytes) {
        int from = random.nextInt(bytes.length + 1);
        int to = Math.min(bytes.length, from + random.nextInt(6));
        ByteString all = ByteString.copyFrom(bytes);
        ByteString before = all.substring(0, from);
        switch (random.nextInt(6)) {
            case 0:
                return before.toByteArray();
            case 1: // one bit
                if (from < bytes.length) {
                    bytes[from] ^= (byte) (1 << random.nextInt(8));
                }
                return bytes;
            case 2: // bytes doubled
                return all.substring(0, to).concat(all.substring(from)).toByteArray();
            case 3: // bytes lost
                return before.concat(all.substring(to)).toByteArray();
            case 4: // all of it again: messages merge
                return all.concat(all).toByteArray();
            default: // bytes that mean something put in
                byte[] put = NASTY[random.nextInt(NASTY.length)];
                return before.concat(ByteString.copyFrom(put))
                        .concat(all.substring(from))
                        .toByteArray();
        }
    }

    private static final byte[][] NASTY = {
        {0},
        {0x0b}, // a group of field 1
        {0x0c}, // and its end
        {0x0b, 0x13, 0x14, 0x0c},
        {0x0e},
        {(byte) 0xff, (byte) 0xff, (byte) 0xff, (byte) 0xff, 0x0f},
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
        {-1, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1},
        {0x0a, 0},
        {0x12, 2, (byte) 0xc3, 0x28},
        "\u000b".repeat(101).getBytes(StandardCharsets.US_ASCII),
    };
}
