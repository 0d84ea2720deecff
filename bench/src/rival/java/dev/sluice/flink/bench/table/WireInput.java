package dev.sluice.flink.bench.table;

/**
 * A record with readable slack behind it, so that eight bytes can be looked at anywhere. Methods
 * take the position and leave the one behind what they read in {@link #at}.
 */
final class WireInput {
    static final long HIGH_BITS = 0x8080808080808080L;
    private static final int SLACK = 16;

    byte[] bytes = new byte[1024];
    int at;

    void fill(byte[] record) {
        if (bytes.length < record.length + SLACK) {
            bytes = new byte[2 * record.length + SLACK];
        }
        System.arraycopy(record, 0, bytes, 0, record.length);
    }

    long varint(int from, int end) {
        byte first = bytes[from];
        if (first >= 0) {
            at = from + 1;
            return first;
        }
        return longVarint(from, end);
    }

    private long longVarint(int from, int end) {
        long word = Memory.getLong(bytes, from);
        long stops = ~word & HIGH_BITS;
        if (stops == 0) {
            return veryLongVarint(from, end);
        }
        at = from + (Long.numberOfTrailingZeros(stops) >>> 3) + 1;
        if (at > end) {
            throw new RefusedException("truncated");
        }
        // Groups of seven bits are drawn together pairwise.
        long bits = word & (stops ^ stops - 1) & ~HIGH_BITS;
        bits = (bits & 0x7f007f007f007f00L) >>> 1 | bits & 0x007f007f007f007fL;
        bits = (bits & 0x3fff00003fff0000L) >>> 2 | bits & 0x00003fff00003fffL;
        return (bits & 0x0fffffff00000000L) >>> 4 | bits & 0x000000000fffffffL;
    }

    private long veryLongVarint(int from, int end) {
        long value = 0;
        for (int i = 0; i < 10; i++) {
            byte next = bytes[from + i];
            value |= (next & 0x7fL) << 7 * i;
            if (next >= 0) {
                at = from + i + 1;
                if (at > end) {
                    break;
                }
                return value;
            }
        }
        throw new RefusedException("truncated, or no varint");
    }

    /** A length whose bytes are there. */
    int length(int from, int end) {
        long length = varint(from, end);
        if (length < 0 || length > end - at) {
            throw new RefusedException("truncated");
        }
        return (int) length;
    }

    int skip(int from, int end, int wireType) {
        int behind;
        switch (wireType) {
            case 0:
                varint(from, end);
                return at;
            case 1:
                behind = from + 8;
                break;
            case 2:
                int length = length(from, end);
                behind = at + length;
                break;
            case 5:
                behind = from + 4;
                break;
            default:
                throw new RefusedException("wire type");
        }
        if (behind > end) {
            throw new RefusedException("truncated");
        }
        return behind;
    }

    /** Refuses what is no UTF-8. */
    void requireText(int from, int length) {
        long seen = 0;
        int i = 0;
        for (; i + 8 <= length; i += 8) {
            seen |= Memory.getLong(bytes, from + i);
        }
        if (i < length) {
            seen |= Memory.getLong(bytes, from + i) & (1L << 8 * (length - i)) - 1;
        }
        if ((seen & HIGH_BITS) != 0) {
            requireUtf8(from, from + length);
        }
    }

    void requireUtf8(int from, int end) {
        int i = from;
        while (i < end) {
            int lead = bytes[i++] & 0xff;
            if (lead < 0x80) {
                continue;
            }
            int more = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
            if (lead < 0xc2 || lead > 0xf4 || end - i < more) {
                throw new RefusedException("UTF-8");
            }
            int second = bytes[i] & 0xff;
            boolean tooSmall = lead == 0xe0 && second < 0xa0 || lead == 0xf0 && second < 0x90;
            boolean tooLarge = lead == 0xed && second > 0x9f || lead == 0xf4 && second > 0x8f;
            if (tooSmall || tooLarge) {
                throw new RefusedException("UTF-8");
            }
            for (; more > 0; more--) {
                if ((bytes[i++] & 0xc0) != 0x80) {
                    throw new RefusedException("UTF-8");
                }
            }
        }
    }
}
