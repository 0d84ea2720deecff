package dev.sluice.flink.bench;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.Timestamp;

import dev.sluice.flink.bench.messages.Account;
import dev.sluice.flink.bench.messages.Color;
import dev.sluice.flink.bench.messages.Event;
import dev.sluice.flink.bench.messages.Flat;
import dev.sluice.flink.bench.messages.Legacy;
import dev.sluice.flink.bench.messages.Nested;
import dev.sluice.flink.bench.messages.Strings;
import dev.sluice.flink.bench.messages.Wide;

import org.apache.flink.table.types.logical.RowType;

import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/** The shapes of records that come with the project, and those that the user gives. */
final class Payloads {
    private static final Set<Integer> WIDE_COLUMNS = Set.of(3, 11, 22, 37, 45, 56, 74, 98);
    private static final int WIDE_FIELDS_SET = 12;
    private static final String[] KEYS = {
        "channel", "campaign_id", "region", "device", "app_version", "locale"
    };

    private final Random random;
    private final RandomText text;
    private final int count;

    private Payloads(String name, int count) {
        random = new Random(name.hashCode());
        text = new RandomText(random);
        this.count = count;
    }

    /**
     * The payload of a name, or of a file that describes a {@link GivenPayload}.
     *
     * @param count how many records
     */
    static Payload of(String name, int count) throws Exception {
        if (name.startsWith(GivenPayload.PREFIX)) {
            String file = name.substring(GivenPayload.PREFIX.length());
            return GivenPayload.read(Path.of(file)).open(count);
        }
        Payloads made = new Payloads(name, count);
        switch (name) {
            case "flat":
                return made.all(name, Flat.getDefaultInstance(), Payloads::flat);
            case "nested":
                return made.all(name, Nested.getDefaultInstance(), Payloads::nested);
            case "strings":
                return made.all(name, Strings.getDefaultInstance(), Payloads::strings);
            case "oneof":
                return made.all(name, Event.getDefaultInstance(), Payloads::event);
            case "evolution":
            case "ids-1000":
                return made.all(
                        name,
                        Account.getDefaultInstance(),
                        each -> each.filled(Account.getDescriptor()));
            case "proto2":
                RowType legacy = Columns.of(Legacy.getDescriptor());
                return made.payload(
                        name, Legacy.getDefaultInstance(), legacy, true, Payloads::legacy);
            case "wide":
                RowType columns =
                        Columns.of(
                                Wide.getDescriptor(),
                                field -> WIDE_COLUMNS.contains(field.getNumber()));
                return made.payload(
                        name, Wide.getDefaultInstance(), columns, false, Payloads::wide);
            default:
                throw new IllegalArgumentException("no payload is called " + name);
        }
    }

    /** Every field is a column. */
    private Payload all(String name, Message prototype, Function<Payloads, Message> next) {
        RowType columns = Columns.of(prototype.getDescriptorForType());
        return payload(name, prototype, columns, false, next);
    }

    /** Whether a payload of this name comes with the project. */
    static boolean isKnown(String name) {
        return Groups.PAYLOADS.contains(name) || name.startsWith("fields-");
    }

    private Payload payload(
            String name,
            Message prototype,
            RowType columns,
            boolean readDefaults,
            Function<Payloads, Message> next) {
        byte[][] records = new byte[count][];
        for (int i = 0; i < count; i++) {
            records[i] = next.apply(this).toByteArray();
        }
        return new Payload(name, prototype, columns, readDefaults, records);
    }

    private Message flat() {
        return Flat.newBuilder()
                .setI1(random.nextInt(100))
                .setI2(random.nextInt(100_000))
                .setI3(random.nextInt(2000) - 1000)
                .setI4(random.nextInt() >>> 1)
                .setL1(1_000_000_000L + random.nextInt())
                .setL2(random.nextInt(10_000))
                .setL3(random.nextLong() >> 20)
                .setL4(random.nextLong())
                .setL5(1_760_000_000_000L + random.nextInt(1_000_000_000))
                .setD1(random.nextDouble())
                .setD2(random.nextGaussian() * 1000)
                .setF1(random.nextFloat())
                .setB1(random.nextBoolean())
                .setB2(true)
                .setS1(text.ascii(4, 10))
                .setS2(text.ascii(12, 20))
                .setS3(text.ascii(8, 8))
                .setS4(text.mostlyAscii(20, 32))
                .setS5(text.ascii(3, 3))
                .setE1(Color.forNumber(1 + random.nextInt(4)))
                .build();
    }

    private Message nested() {
        Nested.Builder order =
                Nested.newBuilder()
                        .setOrderId(1_000_000_000L + random.nextInt(Integer.MAX_VALUE))
                        .setUserId("user-" + random.nextInt(1_000_000))
                        .setAddr(
                                Nested.Address.newBuilder()
                                        .setStreet(text.mostlyAscii(12, 24))
                                        .setCity(text.ascii(5, 12))
                                        .setZip(10_000 + random.nextInt(89_999))
                                        .setLat(random.nextDouble() * 90)
                                        .setLon(random.nextDouble() * 180));
        for (int items = 3 + random.nextInt(3); items > 0; items--) {
            order.addItems(
                    Nested.Item.newBuilder()
                            .setSku("SKU" + random.nextInt(1_000_000))
                            .setQty(1 + random.nextInt(9))
                            .setPrice(random.nextInt(10_000) / 100.0)
                            .setGift(random.nextBoolean()));
        }
        int firstKey = random.nextInt(KEYS.length);
        for (int i = 0; i < 4; i++) {
            order.putAttrs(KEYS[(firstKey + i) % KEYS.length], text.ascii(4, 14));
        }
        for (int i = 0; i < 8; i++) {
            order.addSamples(random.nextInt(1 << (4 + random.nextInt(24))));
        }
        return order.setTs(
                        Timestamp.newBuilder()
                                .setSeconds(1_760_000_000L + random.nextInt(10_000_000))
                                .setNanos(random.nextInt(1_000_000_000)))
                .setStatus(Color.forNumber(1 + random.nextInt(4)))
                .setTotal(random.nextDouble() * 1000)
                .setNote(text.mostlyAscii(10, 40))
                .build();
    }

    /** Three of four columns are set, and other fields up to twelve. */
    private Message wide() {
        Set<Integer> set = new TreeSet<>();
        for (int column : new TreeSet<>(WIDE_COLUMNS)) {
            if (random.nextInt(4) != 0) {
                set.add(column);
            }
        }
        while (set.size() < WIDE_FIELDS_SET) {
            set.add(1 + random.nextInt(100));
        }
        Wide.Builder wide = Wide.newBuilder();
        for (int number : set) {
            FieldDescriptor field = Wide.getDescriptor().findFieldByNumber(number);
            wide.setField(field, scalar(field));
        }
        return wide.build();
    }

    private Message strings() {
        return Strings.newBuilder()
                .setTitle(text.words(80, 120))
                .setAuthor(text.words(20, 60))
                .setBody(text.words(900, 1300))
                .setSummary(text.words(250, 350))
                .setUrl("https://example.com/" + text.ascii(150, 200))
                .build();
    }

    /** One of thirty members, each a message. */
    private Message event() {
        Event.Builder event =
                Event.newBuilder()
                        .setId(1_000_000_000L + random.nextInt())
                        .setAt(1_760_000_000_000L + random.nextInt(1_000_000_000));
        FieldDescriptor member =
                Event.getDescriptor().getOneofs().get(0).getField(random.nextInt(30));
        return event.setField(member, filled(member.getMessageType())).build();
    }

    /** Half of the optional fields are left out and read as their defaults. */
    private Message legacy() {
        Message.Builder legacy = Legacy.newBuilder();
        for (FieldDescriptor field : Legacy.getDescriptor().getFields()) {
            if (field.isRequired() || random.nextBoolean()) {
                legacy.setField(field, scalar(field));
            }
        }
        return legacy.build();
    }

    private Message filled(Descriptor type) {
        Message.Builder message = DynamicMessage.newBuilder(type);
        for (FieldDescriptor field : type.getFields()) {
            message.setField(field, scalar(field));
        }
        return message.build();
    }

    private Object scalar(FieldDescriptor field) {
        switch (field.getJavaType()) {
            case INT:
                return random.nextInt(100_000);
            case LONG:
                return (long) random.nextInt(Integer.MAX_VALUE);
            case DOUBLE:
                return random.nextDouble();
            case FLOAT:
                return random.nextFloat();
            case BOOLEAN:
                return true;
            case ENUM:
                List<EnumValueDescriptor> names = field.getEnumType().getValues();
                return names.get(random.nextInt(names.size()));
            default:
                return text.mostlyAscii(5, 20);
        }
    }
}
