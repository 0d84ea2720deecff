package dev.sluice.flink.engine.dynamic;

import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;

import dev.sluice.flink.bridge.FailureCode;

/**
 * Reading position in the bytes of a record, by protobuf-java's rules: tags and lengths are the low
 * 32 bits of a varint, and a length that is negative leads out of every message. Nothing is read
 * behind {@link #end}.
 */
final class WireReader {
    private static final int VARINT_BYTES_MAX = 10;

    private final byte[] record;
    private int at;
    private int end;

    WireReader(byte[] record, int at) {
        this.record = record;
        this.at = at;
        this.end = record.length;
    }

    /** The bytes are no value of the kind that was asked for. */
    static final class WireException extends Exception {
        private static final long serialVersionUID = 1L;

        private final FailureCode code;

        WireException(FailureCode code) {
            super(code.label(), null, false, false);
            this.code = code;
        }

        FailureCode code() {
            return code;
        }
    }

    /** Offset of the next byte. */
    int at() {
        return at;
    }

    /** Offset behind the last byte of the message or run that is being read. */
    int end() {
        return end;
    }

    boolean isAtEnd() {
        return at >= end;
    }

    /** Ends reading there; the end until now, which the caller restores by {@link #leave}. */
    int enter(int newEnd) {
        int outer = end;
        end = newEnd;
        return outer;
    }

    void leave(int outerEnd) {
        end = outerEnd;
    }

    long varint() throws WireException {
        long value = 0;
        for (int index = 0; index < VARINT_BYTES_MAX; index++) {
            if (isAtEnd()) {
                throw new WireException(FailureCode.TRUNCATED);
            }
            byte next = record[at++];
            value |= (next & 0x7fL) << (7 * index);
            if (next >= 0) {
                return value;
            }
        }
        throw new WireException(FailureCode.MALFORMED_VARINT);
    }

    int tag() throws WireException {
        int tag = (int) varint();
        if (WireFormat.getTagFieldNumber(tag) == 0) {
            throw new WireException(FailureCode.INVALID_TAG);
        }
        return tag;
    }

    /** A length, behind which so many bytes follow. */
    int length() throws WireException {
        int length = (int) varint();
        if (length < 0 || length > end - at) {
            throw new WireException(FailureCode.TRUNCATED);
        }
        return length;
    }

    void advance(int length) throws WireException {
        if (length > end - at) {
            throw new WireException(FailureCode.TRUNCATED);
        }
        at += length;
    }

    void string(boolean mustBeUtf8) throws WireException {
        int length = length();
        if (mustBeUtf8 && !UnsafeByteOperations.unsafeWrap(record, at, length).isValidUtf8()) {
            throw new WireException(FailureCode.INVALID_UTF8);
        }
        at += length;
    }

    /**
     * Skips the value behind a tag.
     *
     * @param levels of groups that may nest, the one that the tag opens included
     */
    void skip(int tag, int levels) throws WireException {
        switch (WireFormat.getTagWireType(tag)) {
            case WireFormat.WIRETYPE_VARINT:
                varint();
                break;
            case WireFormat.WIRETYPE_FIXED64:
                advance(Long.BYTES);
                break;
            case WireFormat.WIRETYPE_LENGTH_DELIMITED:
                advance(length());
                break;
            case WireFormat.WIRETYPE_START_GROUP:
                skipGroup(endOf(tag), levels);
                break;
            case WireFormat.WIRETYPE_END_GROUP:
                throw new WireException(FailureCode.END_GROUP_MISMATCH);
            case WireFormat.WIRETYPE_FIXED32:
                advance(Integer.BYTES);
                break;
            default:
                throw new WireException(FailureCode.INVALID_WIRE_TYPE);
        }
    }

    private void skipGroup(int endTag, int levels) throws WireException {
        if (levels == 0) {
            throw new WireException(FailureCode.TOO_DEEP);
        }
        while (!isAtEnd()) {
            int tag = tag();
            if (tag == endTag) {
                return;
            }
            skip(tag, levels - 1);
        }
        throw new WireException(FailureCode.END_GROUP_MISMATCH);
    }

    /** The tag that ends the group which {@code tag} opens. */
    static int endOf(int tag) {
        return tag - WireFormat.WIRETYPE_START_GROUP + WireFormat.WIRETYPE_END_GROUP;
    }
}
