package dev.sluice.flink.bench.table;

/** One field of a {@link MessageTable}. */
final class FieldEntry {
    final int number;
    final int wireType;
    final int op;

    /** The encoded tag, little-endian, compared under its mask. */
    final int tag;

    final int tagMask;
    final int tagBytes;

    int slot; // byte offset in the row
    int nullByte; // byte of the NULL bit in the row
    int nullMask;
    FieldEntry next; // that usually follows; an entry that repeats has taken all of itself
    MessageTable message;
    long[] enumCells; // by value, for texts of up to seven bytes; the last one is for other values

    FieldEntry(int number, int wireType, int op) {
        this.number = number;
        this.wireType = wireType;
        this.op = op;
        int rest = number << 3 | wireType;
        int encoded = 0;
        int bytes = 0;
        do {
            int more = rest > 0x7f ? 0x80 : 0;
            encoded |= (rest & 0x7f | more) << 8 * bytes++;
            rest >>>= 7;
        } while (rest != 0);
        tag = encoded;
        tagBytes = bytes;
        tagMask = bytes == 4 ? -1 : (1 << 8 * bytes) - 1;
    }
}
