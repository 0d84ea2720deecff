package dev.sluice.flink.differential;

import org.apache.flink.table.types.logical.RowType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HexFormat;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Bytes made by hand for one rule each, through Flink's format and ours, with all columns and both
 * settings of {@code read-default-values}.
 */
class VectorsTest {
    private static final Map<String, Agreement> AGREEMENTS = new ConcurrentHashMap<>();

    private static Agreement agreement(Messages message, boolean defaults) {
        return AGREEMENTS.computeIfAbsent(
                message + " " + defaults,
                key -> {
                    try {
                        RandomColumns columns =
                                new RandomColumns(
                                        new Random(1),
                                        field -> message.isReadable(field, defaults),
                                        1.0);
                        RowType type = columns.row(message.descriptor(), 1);
                        return new Agreement(message, type, defaults, false);
                    } catch (Exception e) {
                        throw new IllegalStateException(e);
                    }
                });
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource({
        "PROTO2, 12 02 c3 28, lenient text",
        "PROTO2, 12 03 e0 80 41, lenient text",
        "PROTO2, 12 03 ed a0 80, lenient text",
        "PROTO2, 12 02 ed a0, lenient text",
        "PROTO2, 12 03 ed a0 41, lenient text",
        "PROTO2, 12 04 ed a0 c2 80, lenient text",
        "PROTO2, 12 03 f0 80 80, lenient text",
        "PROTO2, 12 04 f0 90 80 41, lenient text",
        "PROTO2, 12 04 f4 90 80 80, lenient text",
        "PROTO2, 72 02 c3 28, lenient text in an array",
        "PROTO2, aa 01 07 0a 01 6b 12 02 c3 28, map values are strict",
        "PROTO2, aa 01 07 0a 02 c3 28 12 01 76, map keys are strict",
        "PROTO3, 12 02 c3 28, strict text",
        "PROTO3, 12 02 c0 80, strict text",
        "PROTO3, 12 03 ed a0 80, strict text",
        "PROTO3, d2 01 02 c3 28, strict text in an array",
        "PROTO3, b2 01 04 12 02 c3 28, proto2 inside proto3",
        "PROTO3, 18 63, an unknown number of an open enum",
        "PROTO3, 22 03 01 63 02, an unknown number of an open enum in an array",
        "PROTO3, 2a 05 0a 01 6b 10 63, an unknown number of an open enum in a map",
        "PROTO2, 18 63, an unknown number of a closed enum",
        "PROTO2, 20 05 20 63 20 01, an unknown number of a closed enum in an array",
        "PROTO2, a2 01 03 05 63 01, an unknown number of a closed enum in a packed run",
        "PROTO2, 2a 05 0a 01 6b 10 63, an unknown number of a closed enum in a map",
        "PROTO2, 2a 03 0a 01 6b, a map entry without value",
        "PROTO2, 60 01, the first name of a number",
        "PROTO3, 18 81 80 80 80 10, an enum number is cut to 32 bits",
        "PROTO3, 08 81 80 80 80 10, an int32 is cut to 32 bits",
        "PROTO3, 08 ff ff ff ff 0f, an int32 of five bytes",
        "PROTO3, c0 01 ff ff ff ff 0f, an uint32 keeps its bits",
        "PROTO3, c8 01 83 80 80 80 10, a sint32 is cut before it is decoded",
        "PROTO2, 68 02, any number is true",
        "PROTO2, 68 80 80 80 80 10, any number is true",
        "PROTO3, 08 80 80 80 80 80 80 80 80 80 80 01, a varint of 11 bytes",
        "PROTO3, 08 ff ff ff ff ff ff ff ff ff 7f, a varint of 10 bytes with bits to spare",
        "PROTO3, 08 80, a varint that is cut",
        "PROTO3, 00 01, field number 0",
        "PROTO3, 0c, an end-group tag alone",
        "PROTO3, 0e 01, wire type 6",
        "PROTO3, 0f 01, wire type 7",
        "PROTO3, 88 80 80 80 10 01, a tag is cut to 32 bits",
        "PROTO3, 88 00 05, a tag longer than it must be",
        "PROTO3, a3 06 08 01 a4 06 08 05, an unknown group",
        "PROTO3, a3 06 08 01, an unknown group without end",
        "PROTO3, a3 06 08 01 ac 06, an unknown group with another end",
        "PROTO3, 0a 01 01, another wire type",
        "PROTO3, 0d 01 00 00 00, another wire type",
        "PROTO3, 10 05, another wire type",
        "PROTO3, 40 05, another wire type",
        "PROTO2, 58 05, another wire type",
        "PROTO2, 32 02 01 02, packed where unpacked is declared",
        "PROTO2, 38 01 38 02, unpacked where packed is declared",
        "PROTO2, 32 00, an empty run",
        "PROTO2, 5a 07 01 00 00 00 02 00 00, a run that ends inside a value",
        "PROTO2, 32 01 80 01, a varint that crosses the end of its run",
        "PROTO3, 12 05 41, text that is cut",
        "PROTO3, 12 ff ff ff ff 0f, a negative length",
        "PROTO3, 42 02 12 05, a length beyond the message",
        "PROTO3, 42 03 12 05 78 41 41 41 41 41, a length beyond the message",
        "PROTO3, 7f 7f 7f 7f 7f, no message at all",
        "REQUIRED, 10 01, a required field is missing",
        "PROTO2, 42 02 08 01, a required field of a nested message is missing",
        "PROTO2, 9a 02 02 08 01, an entry of nothing known",
        "PROTO3, b2 01 00, the root's syntax rules nested messages",
        "PROTO3, aa 01 03 12 01 76, a map entry without key",
        "PROTO3, aa 01 03 0a 01 6b, a map entry without value",
        "PROTO3, aa 01 00, an empty map entry",
        "PROTO3, 4a 03 0a 01 6b, a map entry without its message",
        "PROTO3, aa 01 06 0a 01 6b 12 01 31 aa 01 06 0a 01 6b 12 01 32, the last entry of a key"
                + " wins",
        "PROTO3, 4a 07 0a 01 6b 12 02 08 01 4a 08 0a 01 6b 12 03 12 01 78, messages of two entries"
                + " are not merged",
        "PROTO3, 4a 0c 0a 01 6b 12 02 08 01 12 03 12 01 78, messages of one entry are",
        "PROTO3, aa 01 09 0a 01 61 0a 01 62 12 01 76, the last key of an entry wins",
        "PROTO3, aa 01 08 0a 01 6b 18 01 12 01 76, an unknown field in an entry",
        "PROTO3, aa 01 05 0a 01 6b 10 05, another wire type in an entry",
        "PROTO3, a8 01 05, another wire type than an entry's",
        "PROTO3, 42 02 08 01 42 03 12 01 78, a message in two pieces",
        "PROTO3, 6a 02 08 01 6a 03 12 01 78, a member in two pieces",
        "PROTO3, 6a 02 08 01 58 05 6a 03 12 01 78, a member after another one",
        "PROTO3, 62 01 78, a member hides the others",
        "PROTO3, 62 01 78 5a 01 01, another wire type switches no oneof",
        "PROTO3, 58 00, a member set to its default",
        "PROTO3, aa 01 08 0a 04 7a 65 74 61 12 00 aa 01 09 0a 05 61 6c 70 68 61 12 00 aa 01 06 0a"
            + " 02 6b 31 12 00 aa 01 06 0a 02 6b 32 12 00 aa 01 06 0a 02 6b 33 12 00, the order of"
            + " a HashMap"
    })
    void recordIsReadAsFlinkReadsIt(Messages message, String record, String rule) {
        byte[] bytes = HexFormat.of().parseHex(record.replace(" ", ""));
        agreement(message, false).check(bytes);
        agreement(message, true).check(bytes);
    }
}
