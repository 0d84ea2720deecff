package dev.sluice.flink.bench.table;

import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.EnumDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;

import org.apache.flink.table.types.logical.RowType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** One message and the row that it becomes. */
final class MessageTable {
    static final int INLINE_MAX = 7;
    private static final int HEADER_BITS = 8; // the row kind stands before the NULL bits
    private static final long EMPTY_TEXT = 0x80L << 56;

    /** Fixed part of a row whose message is empty. */
    final byte[] template;

    /** By field number; null where the message has no field. */
    final FieldEntry[] byNumber;

    /** The field that a message usually begins with. */
    final FieldEntry first;

    MessageTable(Descriptor message, RowType row) {
        int nullBytes = (row.getFieldCount() + HEADER_BITS + 63) / 64 * 8;
        template = new byte[nullBytes + 8 * row.getFieldCount()];
        List<FieldDescriptor> fields = new ArrayList<>(message.getFields());
        fields.sort(Comparator.comparingInt(FieldDescriptor::getNumber));
        byNumber = new FieldEntry[fields.get(fields.size() - 1).getNumber() + 1];
        FieldEntry before = null;
        for (FieldDescriptor field : fields) {
            int column = row.getFieldNames().indexOf(field.getName());
            FieldEntry entry =
                    new FieldEntry(field.getNumber(), wireType(field), op(field, column));
            byNumber[entry.number] = entry;
            if (before != null) {
                before.next = entry;
            }
            before = entry;
            if (column >= 0) {
                entry.slot = nullBytes + 8 * column;
                entry.nullByte = (column + HEADER_BITS) / 8;
                entry.nullMask = 1 << (column + HEADER_BITS) % 8;
                fill(entry, field, row, column);
            }
        }
        first = byNumber[fields.get(0).getNumber()];
        before.next = first;
    }

    private void fill(FieldEntry entry, FieldDescriptor field, RowType row, int column) {
        switch (entry.op) {
            case Op.TEXT:
                Memory.putLong(template, entry.slot, EMPTY_TEXT);
                break;
            case Op.ENUM:
                entry.enumCells = enumCells(field.getEnumType());
                Memory.putLong(template, entry.slot, entry.enumCells[0]);
                break;
            case Op.MESSAGE:
                entry.message =
                        new MessageTable(field.getMessageType(), (RowType) row.getTypeAt(column));
                template[entry.nullByte] |= (byte) entry.nullMask;
                break;
            case Op.MESSAGES:
                RowType element = (RowType) row.getTypeAt(column).getChildren().get(0);
                entry.message = new MessageTable(field.getMessageType(), element);
                template[entry.nullByte] |= (byte) entry.nullMask;
                break;
            case Op.TEXT_MAP:
            case Op.PACKED_LONGS:
                template[entry.nullByte] |= (byte) entry.nullMask;
                break;
            default:
        }
    }

    private static int wireType(FieldDescriptor field) {
        if (field.isRepeated()) {
            return 2;
        }
        switch (field.getType()) {
            case DOUBLE:
            case FIXED64:
            case SFIXED64:
                return 1;
            case FLOAT:
            case FIXED32:
            case SFIXED32:
                return 5;
            case STRING:
            case BYTES:
            case MESSAGE:
                return 2;
            default:
                return 0;
        }
    }

    private static int op(FieldDescriptor field, int column) {
        if (column < 0) {
            return field.getType() == FieldDescriptor.Type.STRING ? Op.SKIP_TEXT : Op.SKIP;
        }
        if (field.isMapField()) {
            return Op.TEXT_MAP;
        }
        switch (field.getType()) {
            case INT32:
                return Op.INT;
            case INT64:
                return field.isRepeated() ? Op.PACKED_LONGS : Op.LONG;
            case SINT32:
                return Op.ZIGZAG_INT;
            case SINT64:
                return Op.ZIGZAG_LONG;
            case FLOAT:
                return Op.FIXED_INT;
            case DOUBLE:
            case SFIXED64:
                return Op.FIXED_LONG;
            case BOOL:
                return Op.BOOL;
            case STRING:
                return Op.TEXT;
            case ENUM:
                return Op.ENUM;
            case MESSAGE:
                return field.isRepeated() ? Op.MESSAGES : Op.MESSAGE;
            default:
                throw new IllegalArgumentException("not built for " + field);
        }
    }

    private static long[] enumCells(EnumDescriptor names) {
        int count = names.getValues().size();
        long[] cells = new long[count + 1];
        for (int number = 0; number < count; number++) {
            cells[number] = inlineCell(names.findValueByNumber(number).getName());
        }
        cells[count] = EMPTY_TEXT; // Flink's name for others is too long for a cell
        return cells;
    }

    private static long inlineCell(String name) {
        byte[] octets = name.getBytes(StandardCharsets.UTF_8);
        if (octets.length > INLINE_MAX) {
            throw new IllegalArgumentException("not built for long names: " + name);
        }
        long cell = (0x80L | octets.length) << 56;
        for (int i = 0; i < octets.length; i++) {
            cell |= (octets[i] & 0xffL) << 8 * i;
        }
        return cell;
    }
}
